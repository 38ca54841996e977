'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useErrorText } from '@/components/form/use-error-text'
import { Alert } from '@/components/ui/alert'
import { buttonClasses } from '@/components/ui/button-classes'
import { CallError, call } from '@/lib/base/http/client'
import type { setPassword } from '@/lib/sign-in/passwords/contract'
import { passwordPaths } from '@/lib/sign-in/passwords/paths'
import type { PasswordRules } from '@/lib/sign-in/passwords/rules'
import { AccountName } from '../../../_ui/account-name'
import { AuthSubmitButton } from '../../../_ui/auth-submit-button'
import { FailureSummary } from '../../../_ui/failure-summary'
import { unlessDead } from '../../../_ui/link-died'
import { PasswordPair, passwordIds } from '../../../_ui/password-pair'
import { StepTitle, stepForm } from '../../../_ui/step-title'
import { TermsFields } from '../../../_ui/terms-fields'
import { usePasswordPair } from '../../../_ui/use-password-pair'
import { useSubmission } from '../../../_ui/use-submission'
import { type Term, termFieldId, useTerms } from '../../../_ui/use-terms'

const signInPage = '/platform/login'

type Props = { id: string; rules: PasswordRules; login: string; terms: readonly Term[] }

/** Asks for a new password, whose rules are checked while the person types, and for missing agreements. */
export function NewPassword({ id, rules, login, terms: requiredTerms }: Props) {
  const t = useTranslations('recovery.set')
  const tWords = useTranslations('entry.password')
  const tCommon = useTranslations('common')
  const errorText = useErrorText()
  const [saved, setSaved] = useState(false)
  const pair = usePasswordPair(rules)
  const terms = useTerms(requiredTerms)
  const { failed, errors, pending, submit, forget } = useSubmission({
    check: () => [...pair.check(), ...terms.check()],
    send: async () => {
      const body = { ...pair.values, ...(terms.terms.length > 0 ? { termsAgree: terms.answers() } : {}) }
      try {
        const answer = await unlessDead(() => call<typeof setPassword>(passwordPaths.set, { params: { id }, body }))
        // people whom this doesn't sign in must read that the password was saved
        if (answer?.redirect === signInPage) setSaved(true)
        else if (answer) window.location.assign(answer.redirect)
        return 'done'
      } catch (error) {
        const list = error instanceof CallError ? error.data.termsRequired : undefined
        if (!list) throw error
        // agreements that became required, or got a new version, after the page was opened
        terms.renew(list)
        return { kind: 'fields', errorList: list.map(({ id }) => ({ field: termFieldId(id), code: 'errorTerms' })) }
      }
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
  const account = () => <strong className="wrap-anywhere font-medium text-ink">{login}</strong>
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      <StepTitle moved={false} lead={t.rich('lead', { login: account })}>
        {t('title')}
      </StepTitle>
      <noscript>
        <Alert tone="warning">{t('noScript')}</Alert>
      </noscript>
      <FailureSummary
        failed={failed}
        formTitle={errorText('errorFields')}
        fields={{
          password: { id: passwordIds.password, label: tWords('password') },
          repeatPassword: { id: passwordIds.repeatPassword, label: tWords('repeat') },
          ...Object.fromEntries(
            terms.terms.map((term) => [termFieldId(term.id), { id: termFieldId(term.id), label: term.title }]),
          ),
        }}
      />
      {/* the field has the same name as the step */}
      <form {...stepForm} aria-labelledby={undefined} onSubmit={submit} className="grid gap-6">
        <AccountName value={login} />
        <PasswordPair opens pair={pair} errors={errors} forget={forget} enterKeyHint="go" />
        <TermsFields terms={terms} errors={errors} forget={forget} />
        <AuthSubmitButton pending={pending}>{t('save')}</AuthSubmitButton>
      </form>
    </div>
  )
}
