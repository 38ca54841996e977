'use client'

import { useTranslations } from 'next-intl'
import { bodyFields } from '@/components/form/field-name'
import { focused } from '@/components/form/focused'
import { TextField } from '@/components/form/text-field'
import { useErrorText } from '@/components/form/use-error-text'
import { Alert } from '@/components/ui/alert'
import { TextLink } from '@/components/ui/text-link'
import type { passwordLink } from '@/lib/sign-in/passwords/contract'
import { AuthSubmitButton } from '../../_ui/auth-submit-button'
import { FieldMessage, useOneField } from '../../_ui/one-field'
import { StepTitle, stepForm } from '../../_ui/step-title'
import { useAsking } from './use-asking'
import { WhyNotSent } from './why-not-sent'

const name = bodyFields<typeof passwordLink>()('email')
const fieldId = 'recovery-email'
const emailOf = (data: FormData) => String(data.get(name) ?? '').trim()

type Props = { email: string; moved: boolean; onSent: (email: string, resendIn: number) => void }

/** Asks for the e-mail of the account. */
export function AskForLink({ email, moved, onSent }: Props) {
  const t = useTranslations('recovery.forgot')
  const errorText = useErrorText()
  const { failed, errors, pending, submit, forget, until } = useAsking({
    emailOf,
    check: (data) => (emailOf(data) ? [] : [{ field: name, code: 'errorEmpty' }]),
    onSent,
  })
  const summary = useOneField(failed, fieldId, [name])
  const error = errors[name] && errorText(errors[name])
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      <StepTitle moved={moved} lead={t('lead')}>
        {t('title')}
      </StepTitle>
      <noscript>
        <Alert tone="warning">{t('noScript')}</Alert>
      </noscript>
      <WhyNotSent failed={summary} until={until} />
      <FieldMessage>{error}</FieldMessage>
      <form {...stepForm} onSubmit={submit} className="grid gap-6">
        <TextField
          name={name}
          id={fieldId}
          size="L"
          label={t('email')}
          error={error}
          defaultValue={email}
          {...focused}
          onChange={() => forget(name)}
          type="text"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="send"
        />
        <AuthSubmitButton pending={pending}>{t('send')}</AuthSubmitButton>
      </form>
      <TextLink href="/platform/login" className="justify-self-start">
        {t('toSignIn')}
      </TextLink>
    </div>
  )
}
