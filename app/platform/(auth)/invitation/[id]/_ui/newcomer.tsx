'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useErrorText } from '@/components/form/use-error-text'
import { call } from '@/lib/base/http/client'
import type { PersonForm } from '@/lib/fields/profile-fields/person-form'
import type { sendInvitationCode, verifyInvitationMobile } from '@/lib/joining/invitations/contract'
import { invitationPaths } from '@/lib/joining/invitations/paths'
import type { PasswordRules } from '@/lib/sign-in/passwords/rules'
import { AccountName } from '../../../_ui/account-name'
import { AuthSubmitButton } from '../../../_ui/auth-submit-button'
import { clockAhead } from '../../../_ui/clock-ahead'
import { FailureSummary } from '../../../_ui/failure-summary'
import { emptyFurther, FurtherFields, furtherAnchors, typedFurther } from '../../../_ui/further-fields'
import type { Country } from '../../../_ui/mobile-number'
import { MobileProof, mobileFieldId } from '../../../_ui/mobile-proof'
import { emptyNames, NameFields, nameFieldId, typedNames } from '../../../_ui/name-fields'
import { PasswordPair, passwordIds } from '../../../_ui/password-pair'
import { stepForm } from '../../../_ui/step-title'
import { TermsFields } from '../../../_ui/terms-fields'
import { type KnownMobile, useMobileProof } from '../../../_ui/use-mobile-proof'
import { usePasswordPair } from '../../../_ui/use-password-pair'
import { useSubmission } from '../../../_ui/use-submission'
import { type Term, termFieldId, useTerms } from '../../../_ui/use-terms'
import { unlessEnded } from './answer'
import { Decline, type Offer } from './decline'
import { Head } from './head'
import { useAccept } from './use-accept'

type Props = Offer & {
  email: string
  locale: string
  form: PersonForm
  rules: PasswordRules
  terms: readonly Term[]
  countries: readonly Country[]
  codeDigits: number
  known: KnownMobile | null
  /** The server's time, in milliseconds since the epoch. */
  now: number
  children: ReactNode
}

/** For somebody without an account: names, a mobile with its code, a password, the terms; then accept or decline. */
export function Newcomer({ email, form, rules, countries, codeDigits, known, now, children, ...props }: Props) {
  const { terms: initial, locale, ...offer } = props
  const t = useTranslations('invitation')
  const tPerson = useTranslations('person')
  const tPassword = useTranslations('entry.password')
  const errorText = useErrorText()
  const [ahead] = useState(() => clockAhead(now))
  const { id } = offer
  const { names, further } = form
  const pair = usePasswordPair(rules)
  const terms = useTerms(initial)
  const accept = useAccept(id, terms)
  const proof = useMobileProof({
    field: form.mobile,
    known,
    ahead,
    send: (mobile) =>
      unlessEnded(() => call<typeof sendInvitationCode>(invitationPaths.code, { body: { hash: id, mobile } })),
    verify: (mobile, code) =>
      unlessEnded(() =>
        call<typeof verifyInvitationMobile>(invitationPaths.verify, { body: { hash: id, mobile, code } }),
      ),
  })
  const { failed, errors, pending, submit, forget } = useSubmission({
    check: (data) => [
      ...emptyNames(names, data),
      ...emptyFurther(further, data),
      ...proof.check(),
      ...pair.check(),
      ...terms.check(),
    ],
    send: (data) => {
      const { fio, lastName, firstName, middleName } = typedNames(names, data)
      return accept({
        fio,
        last_name: lastName,
        first_name: firstName,
        middle_name: middleName,
        ...typedFurther(further, data),
        mobile: proof.verified ?? undefined,
        ...pair.values,
      })
    },
  })
  const fields = Object.fromEntries([
    ...names.map(({ code, title }) => [code, { id: nameFieldId(code), label: title }]),
    ...furtherAnchors(further),
    ['mobile', { id: mobileFieldId, label: tPerson('mobile') }],
    ['password', { id: passwordIds.password, label: tPassword('password') }],
    ['repeatPassword', { id: passwordIds.repeatPassword, label: tPassword('repeat') }],
    ...terms.terms.map(({ id: term, title }) => [termFieldId(term), { id: termFieldId(term), label: title }]),
  ])
  return (
    <div className="grid grid-cols-1 gap-6">
      <Head {...offer} />
      {children}
      <div className="grid gap-1">
        <h2 className="text-section">{t('form.title')}</h2>
        <p className="text-ink-second">{t('form.lead', { email })}</p>
      </div>
      <FailureSummary failed={failed} formTitle={errorText('errorFields')} fields={fields} />
      <form {...stepForm} onSubmit={submit} className="grid gap-6">
        <NameFields names={names} errors={errors} forget={forget} />
        <FurtherFields fields={further} values={{ locale }} errors={errors} forget={forget} />
        <MobileProof
          proof={proof}
          countries={countries}
          home="RU"
          codeDigits={codeDigits}
          error={errors.mobile}
          forget={forget}
        />
        <AccountName value={email} />
        <PasswordPair pair={pair} errors={errors} forget={forget} />
        <TermsFields terms={terms} errors={errors} forget={forget} />
        <div className="grid gap-3">
          <AuthSubmitButton pending={pending}>{t('accept')}</AuthSubmitButton>
          <Decline {...offer} />
        </div>
      </form>
    </div>
  )
}
