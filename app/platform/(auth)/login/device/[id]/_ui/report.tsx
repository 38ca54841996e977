'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useErrorText } from '@/components/form/use-error-text'
import { Alert } from '@/components/ui/alert'
import { buttonClasses } from '@/components/ui/button-classes'
import { call } from '@/lib/base/http/client'
import type { reportSignIn } from '@/lib/sign-in/not-me/contract'
import { reportPath } from '@/lib/sign-in/not-me/paths'
import { AuthSubmitButton } from '../../../../_ui/auth-submit-button'
import { FailureSummary } from '../../../../_ui/failure-summary'
import { unlessDead } from '../../../../_ui/link-died'
import { StepTitle, stepForm } from '../../../../_ui/step-title'
import { useSubmission } from '../../../../_ui/use-submission'

type Props = { id: string; facts: ReactNode; children: ReactNode }

/** The sign-in, and the button that says it wasn't the person's own. A new password is set on the next page. */
export function Report({ id, facts, children }: Props) {
  const t = useTranslations('sign-in-report')
  const tCommon = useTranslations('common')
  const errorText = useErrorText()
  const [ended, setEnded] = useState(false)
  const { failed, pending, submit } = useSubmission({
    check: () => [],
    send: async () => {
      const answer = await unlessDead(() => call<typeof reportSignIn>(reportPath, { params: { id } }))
      if (answer?.redirect) window.location.assign(answer.redirect)
      else if (answer) setEnded(true)
      return 'done'
    },
  })
  if (ended)
    return (
      <div className="grid animate-arrive gap-6">
        <StepTitle moved lead={t('done.text')}>
          {t('done.title')}
        </StepTitle>
        <a href="/platform/login" className={buttonClasses({ size: 'L' })}>
          {tCommon('toSignIn')}
        </a>
      </div>
    )
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      {children}
      <noscript>
        <Alert tone="warning">{t('noScript')}</Alert>
      </noscript>
      <FailureSummary failed={failed} formTitle={errorText('errorFields')} fields={{}} />
      {facts}
      <p>{t('text')}</p>
      <form {...stepForm} aria-labelledby={undefined} onSubmit={submit} className="grid gap-3">
        <AuthSubmitButton pending={pending}>{t('confirm')}</AuthSubmitButton>
        <a href="/platform" className={buttonClasses({ size: 'L', variant: 'secondary' })}>
          {t('mine')}
        </a>
      </form>
    </div>
  )
}
