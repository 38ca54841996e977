'use client'

import { useTranslations } from 'next-intl'
import { useLayoutEffect } from 'react'
import { bodyFields } from '@/components/form/field-name'
import { focused } from '@/components/form/focused'
import { PasswordField } from '@/components/form/password-field'
import { useErrorText } from '@/components/form/use-error-text'
import { TextLink } from '@/components/ui/text-link'
import type { authLogin } from '@/lib/sign-in/attempts/contract'
import { AccountName } from '../../_ui/account-name'
import { AuthSubmitButton } from '../../_ui/auth-submit-button'
import { FailureSummary } from '../../_ui/failure-summary'
import { FieldMessage, useOneField } from '../../_ui/one-field'
import { StepTitle, stepForm } from '../../_ui/step-title'
import { useSubmission } from '../../_ui/use-submission'
import type { FlowStepProps } from './flow-step'
import { OtherFlows } from './other-flows'
import { sendProof } from './send-proof'
import { SigningInAs } from './signing-in-as'
import { takeTyped } from './type-ahead'

const name = bodyFields<typeof authLogin>()('password')
const fieldId = 'sign-in-password'

/** Asks for the password. */
export function CredentialsStep(props: FlowStepProps) {
  const { attempt, others, moved, onSelect, onChange, onExpired } = props
  const t = useTranslations('entry')
  const tCommon = useTranslations('common')
  const errorText = useErrorText()

  const { failed, errors, pending, submit, forget } = useSubmission({
    check: (data) => (data.get(name) ? [] : [{ field: name, code: 'errorEmpty' }]),
    send: (data) => sendProof(props, { flow: 'credentials', password: String(data.get(name)) }),
    onExpired,
  })

  useLayoutEffect(() => {
    const typed = takeTyped()
    const field = document.getElementById(fieldId)
    // values that the browser filled in stay
    if (field instanceof HTMLInputElement && field.value === '') field.value = typed
  }, [])

  const summary = useOneField(failed, fieldId, [name])
  const code = errors[name]
  // the open flows are the same for everybody until the first proof is right (docs/rules/sign-in.md#strangers)
  const byCode = code === 'signInFailed' && others.some((flow) => flow !== 'credentials')
  const error = byCode ? t('credentials.failedOrCode') : code && errorText(code)
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      <StepTitle moved={moved}>{t('credentials.title')}</StepTitle>
      <SigningInAs identifier={attempt.identifier} onChange={onChange} />
      <FailureSummary announced failed={summary} fields={{}} />
      <FieldMessage>{error}</FieldMessage>
      <form {...stepForm} onSubmit={submit} className="grid gap-6">
        <AccountName value={attempt.identifier} />
        <PasswordField
          name={name}
          id={fieldId}
          label={t('credentials.password')}
          error={error}
          {...focused}
          onChange={() => forget(name)}
          autoComplete="current-password"
          enterKeyHint="go"
        />
        <AuthSubmitButton pending={pending}>{tCommon('signIn')}</AuthSubmitButton>
      </form>
      <TextLink href="/platform/forgot-password" className="justify-self-start">
        {t('credentials.forgot')}
      </TextLink>
      <OtherFlows flows={others} onSelect={onSelect} />
    </div>
  )
}
