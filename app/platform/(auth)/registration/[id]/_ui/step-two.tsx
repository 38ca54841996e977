'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { Alert } from '@/components/ui/alert'
import { call } from '@/lib/base/http/client'
import type { NameField, PersonForm } from '@/lib/fields/profile-fields/person-form'
import type { registrationCode, registrationComplete, registrationVerify } from '@/lib/joining/registration/contract'
import { registrationPaths } from '@/lib/joining/registration/paths'
import type { PasswordRules } from '@/lib/sign-in/passwords/rules'
import { AccountName } from '../../../_ui/account-name'
import { AuthSubmitButton } from '../../../_ui/auth-submit-button'
import { clockAhead } from '../../../_ui/clock-ahead'
import { emptyFurther, FurtherFields, furtherAnchors, typedFurther } from '../../../_ui/further-fields'
import { unlessDead } from '../../../_ui/link-died'
import type { Country } from '../../../_ui/mobile-number'
import { MobileProof, mobileFieldId } from '../../../_ui/mobile-proof'
import { emptyNames, NameFields, nameFieldId, typedNames } from '../../../_ui/name-fields'
import { PasswordPair, passwordIds } from '../../../_ui/password-pair'
import { StepTitle, stepForm } from '../../../_ui/step-title'
import { TermsFields } from '../../../_ui/terms-fields'
import { type KnownMobile, useMobileProof } from '../../../_ui/use-mobile-proof'
import { usePasswordPair } from '../../../_ui/use-password-pair'
import { useSubmission } from '../../../_ui/use-submission'
import { type Term, termFieldId, useTerms } from '../../../_ui/use-terms'
import { refusalOf } from '../../_ui/refusal'
import { RegistrationFailure } from '../../_ui/registration-failure'

type Props = {
  id: string
  /** The e-mail. It is proven, because the person opened this page from a mail. */
  email: string
  /** Agreements that changed after the first step. */
  terms: Term[]
  /** What the server already knows about the mobile. */
  known: KnownMobile | null
  /** What the form asks for: names that are still missing, the mobile, and other required fields. */
  form: PersonForm
  /** What the person entered in the first step. */
  told: Partial<Record<NameField['code'], string>>
  locale: string
  rules: PasswordRules
  countries: Country[]
  codeDigits: number
  /** The server's time when it rendered the page, in milliseconds since the epoch. */
  now: number
}

/** The e-mail got an account while the page was open. The refreshed page says so. */
const emailTaken = ['errorEmailRegistered']

/** The second step: the password, the mobile with its code, and the agreements that changed since the first step. */
export function StepTwo({ id, email, terms: list, known, form, told, locale, rules, ...props }: Props) {
  const { countries, codeDigits, now } = props
  const { names, further } = form
  const t = useTranslations('registration')
  const tPassword = useTranslations('entry.password')
  const tPerson = useTranslations('person')
  const [ahead] = useState(() => clockAhead(now))
  const pair = usePasswordPair(rules)
  const terms = useTerms(list)
  const proof = useMobileProof({
    field: form.mobile,
    known,
    ahead,
    send: (mobile) =>
      unlessDead(() => call<typeof registrationCode>(registrationPaths.code, { body: { mobile, secret: id } })),
    verify: (mobile, code) =>
      unlessDead(() =>
        call<typeof registrationVerify>(registrationPaths.verify, { body: { mobile, secret: id, code } }),
      ),
  })
  const { failed, errors, pending, submit, forget } = useSubmission({
    check: (data) => [
      ...emptyNames(names, data),
      ...emptyFurther(further, data),
      ...pair.check(),
      ...proof.check(),
      ...terms.check(),
    ],
    send: async (data) => {
      const person = { ...typedNames(names, data), ...typedFurther(further, data) }
      const answers = { mobile: proof.verified ?? '', termsAgree: terms.answers() }
      const body = { secret: id, ...person, ...pair.values, ...answers }
      try {
        const answer = await unlessDead(
          () => call<typeof registrationComplete>(registrationPaths.complete, { body }),
          emailTaken,
        )
        if (answer) window.location.assign(answer.redirect)
        return 'done'
      } catch (error) {
        return refusalOf(error, terms.renew)
      }
    },
  })

  useEffect(() => {
    // the browser restored the page from its cache, still waiting for an answer that was already handled
    const revive = (event: PageTransitionEvent) => event.persisted && window.location.reload()
    window.addEventListener('pageshow', revive)
    return () => window.removeEventListener('pageshow', revive)
  }, [])

  const fields = Object.fromEntries([
    ...names.map(({ code, title }) => [code, { id: nameFieldId(code), label: title }]),
    ...furtherAnchors(further),
    ['password', { id: passwordIds.password, label: tPassword('password') }],
    ['repeatPassword', { id: passwordIds.repeatPassword, label: tPassword('repeat') }],
    ['mobile', { id: mobileFieldId, label: tPerson('mobile') }],
    ...terms.terms.map(({ id, title }) => [termFieldId(id), { id: termFieldId(id), label: title }]),
  ])
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      <StepTitle
        moved={false}
        lead={t.rich('finish.lead', {
          email: () => <span className="wrap-anywhere font-medium text-ink">{email}</span>,
        })}
      >
        {t('finish.title')}
      </StepTitle>
      <noscript>
        <Alert tone="warning">{t('noScript')}</Alert>
      </noscript>
      <RegistrationFailure failed={failed} fields={fields} title={t('errorCompleteTitle')} />
      <form {...stepForm} onSubmit={submit} className="grid gap-6">
        <NameFields names={names} values={told} errors={errors} forget={forget} />
        <FurtherFields fields={further} values={{ locale }} errors={errors} forget={forget} />
        <AccountName value={email} />
        <PasswordPair pair={pair} errors={errors} forget={forget} />
        <MobileProof
          proof={proof}
          countries={countries}
          home="RU"
          codeDigits={codeDigits}
          error={errors.mobile}
          forget={forget}
        />
        {terms.terms.length > 0 ? (
          <div className="grid gap-4">
            <p className="text-ink-second">{t('finish.terms')}</p>
            <TermsFields terms={terms} errors={errors} forget={forget} />
          </div>
        ) : null}
        <AuthSubmitButton pending={pending}>{t('finish.submit')}</AuthSubmitButton>
      </form>
    </div>
  )
}
