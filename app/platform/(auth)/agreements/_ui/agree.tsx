'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useErrorText } from '@/components/form/use-error-text'
import { call } from '@/lib/base/http/client'
import type { acceptAgreements } from '@/lib/sign-in/agreements/contract'
import { agreementPaths } from '@/lib/sign-in/agreements/paths'
import { AuthSubmitButton } from '../../_ui/auth-submit-button'
import { FailureSummary } from '../../_ui/failure-summary'
import { StepTitle, stepForm } from '../../_ui/step-title'
import { TermsFields } from '../../_ui/terms-fields'
import { useSubmission } from '../../_ui/use-submission'
import { type Term, termFieldId, useTerms } from '../../_ui/use-terms'

type Props = { terms: readonly Term[]; onward: string; login: string; children: ReactNode }

/** The agreements, and the button that accepts them; beside it the person may sign out. */
export function Agree({ terms: initial, onward, login, children }: Props) {
  const t = useTranslations('agreements')
  const errorText = useErrorText()
  const terms = useTerms(initial)
  const { failed, errors, pending, submit, forget } = useSubmission({
    check: terms.check,
    send: async () => {
      await call<typeof acceptAgreements>(agreementPaths.accept, { body: { termsAgree: terms.answers() } })
      window.location.replace(onward)
      return 'done'
    },
  })
  const fields = terms.terms.map(({ id, title }) => [termFieldId(id), { id: termFieldId(id), label: title }])
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      <StepTitle moved={false} lead={t('lead')}>
        {t('title')}
      </StepTitle>
      <FailureSummary failed={failed} formTitle={errorText('errorFields')} fields={Object.fromEntries(fields)} />
      <p>{t('signedInAs', { login })}</p>
      <form {...stepForm} onSubmit={submit} className="grid gap-6">
        <TermsFields terms={terms} errors={errors} forget={forget} />
        <div className="grid gap-3">
          <AuthSubmitButton pending={pending}>{t('accept')}</AuthSubmitButton>
          {children}
        </div>
      </form>
    </div>
  )
}
