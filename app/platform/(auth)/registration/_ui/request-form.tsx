'use client'

import { useTranslations } from 'next-intl'
import { bodyFields } from '@/components/form/field-name'
import { focused } from '@/components/form/focused'
import { TextField } from '@/components/form/text-field'
import { useErrorText } from '@/components/form/use-error-text'
import { Alert } from '@/components/ui/alert'
import { TextLink } from '@/components/ui/text-link'
import type { FieldError } from '@/lib/base/runtime/errors'
import type { NameField } from '@/lib/fields/profile-fields/person-form'
import type { registrationLink } from '@/lib/joining/registration/contract'
import { AuthSubmitButton } from '../../_ui/auth-submit-button'
import type { Failure } from '../../_ui/failure'
import { emptyNames, NameFields, nameFieldId, typedNames } from '../../_ui/name-fields'
import { StepTitle, stepForm } from '../../_ui/step-title'
import { TermsFields } from '../../_ui/terms-fields'
import { useSubmission } from '../../_ui/use-submission'
import { termFieldId, type useTerms } from '../../_ui/use-terms'
import { RegistrationFailure } from './registration-failure'

export type Typed = { email: string } & Partial<Record<NameField['code'], string>>

const emailField = bodyFields<typeof registrationLink>()('email')
const emailId = 'registration-email'
const emailIn = (data: FormData) => String(data.get(emailField) ?? '').trim()

/** Finds clearly wrong addresses; the server checks more. */
function emailFaults(email: string): FieldError[] {
  if (email === '') return [{ field: 'email', code: 'errorEmpty' }]
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? [] : [{ field: 'email', code: 'errorEmail' }]
}

type Props = {
  names: NameField[]
  terms: ReturnType<typeof useTerms>
  /** The initial values of the fields. */
  typed: Typed
  moved: boolean
  onRequest: (typed: Typed) => Promise<'done' | Failure>
}

/** Asks who registers, where to send the link, and for the agreements. */
export function RequestForm({ names, terms, typed, moved, onRequest }: Props) {
  const t = useTranslations('registration')
  const tPerson = useTranslations('person')
  const errorText = useErrorText()
  const { failed, errors, pending, submit, forget } = useSubmission({
    check: (data) => [...emptyNames(names, data), ...emailFaults(emailIn(data)), ...terms.check()],
    send: (data) => onRequest({ ...typedNames(names, data), email: emailIn(data) }),
  })
  const fields = Object.fromEntries([
    ...names.map(({ code, title }) => [code, { id: nameFieldId(code), label: title }]),
    ['email', { id: emailId, label: tPerson('email') }],
    ...terms.terms.map(({ id, title }) => [termFieldId(id), { id: termFieldId(id), label: title }]),
  ])
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      <StepTitle moved={moved} lead={t('lead')}>
        {t('title')}
      </StepTitle>
      <noscript>
        <Alert tone="warning">{t('noScript')}</Alert>
      </noscript>
      <RegistrationFailure failed={failed} fields={fields} title={t('errorRequestTitle')} />
      <form {...stepForm} onSubmit={submit} className="grid gap-6">
        <NameFields opens names={names} values={typed} errors={errors} forget={forget} />
        <TextField
          name={emailField}
          id={emailId}
          size="L"
          label={tPerson('email')}
          error={errors.email && errorText(errors.email)}
          defaultValue={typed.email}
          {...(names.length === 0 && focused)}
          onChange={() => forget('email')}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={254}
        />
        <TermsFields terms={terms} errors={errors} forget={forget} />
        <AuthSubmitButton pending={pending}>{t('submit')}</AuthSubmitButton>
      </form>
      <p className="text-ink-second">
        {t.rich('have', { link: (words) => <TextLink href="/platform/login">{words}</TextLink> })}
      </p>
    </div>
  )
}
