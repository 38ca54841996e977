'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useErrorText } from '@/components/form/use-error-text'
import { buttonClasses } from '@/components/ui/button-classes'
import { call } from '@/lib/base/http/client'
import type { setEntryPassword } from '@/lib/sign-in/passwords/contract'
import { passwordPaths } from '@/lib/sign-in/passwords/paths'
import type { PasswordRules } from '@/lib/sign-in/passwords/rules'
import { AccountName } from '../../../../_ui/account-name'
import { AuthSubmitButton } from '../../../../_ui/auth-submit-button'
import { FailureSummary } from '../../../../_ui/failure-summary'
import { unlessDead } from '../../../../_ui/link-died'
import { PasswordPair, passwordIds } from '../../../../_ui/password-pair'
import { StepTitle, stepForm } from '../../../../_ui/step-title'
import { usePasswordPair } from '../../../../_ui/use-password-pair'
import { useSubmission } from '../../../../_ui/use-submission'

const signInPage = '/platform/login'

/** Asks for a new password and checks its rules while the person types. `login` is for password managers. */
export function SetPassword({ id, rules, login }: { id: string; rules: PasswordRules; login: string }) {
  const t = useTranslations('entry.password')
  const tCommon = useTranslations('common')
  const errorText = useErrorText()
  const [saved, setSaved] = useState(false)
  const pair = usePasswordPair(rules)
  const { failed, errors, pending, submit, forget } = useSubmission({
    check: pair.check,
    send: async () => {
      const body = pair.values
      const answer = await unlessDead(() =>
        call<typeof setEntryPassword>(passwordPaths.entry, { params: { id }, body }),
      )
      // people whom this doesn't sign in must read that the password was saved
      if (answer?.redirect === signInPage) setSaved(true)
      else if (answer) window.location.assign(answer.redirect)
      return 'done'
    },
  })

  if (saved)
    return (
      <div className="grid animate-arrive gap-6">
        <StepTitle moved lead={t('saved.text')}>
          {t('saved.title')}
        </StepTitle>
        <a href={signInPage} className={buttonClasses({ size: 'L' })}>
          {tCommon('toSignIn')}
        </a>
      </div>
    )
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      <StepTitle moved={false} lead={t('lead')}>
        {t('title')}
      </StepTitle>
      <FailureSummary
        failed={failed}
        formTitle={errorText('errorFields')}
        fields={{
          password: { id: passwordIds.password, label: t('password') },
          repeatPassword: { id: passwordIds.repeatPassword, label: t('repeat') },
        }}
      />
      <form {...stepForm} onSubmit={submit} className="grid gap-6">
        <AccountName value={login} />
        <PasswordPair opens pair={pair} errors={errors} forget={forget} enterKeyHint="go" />
        <AuthSubmitButton pending={pending}>{t('save')}</AuthSubmitButton>
      </form>
    </div>
  )
}
