import { useTranslations } from 'next-intl'
import { focused } from '@/components/form/focused'
import { inputClasses } from '@/components/form/input-classes'
import { useErrorText } from '@/components/form/use-error-text'
import { PlainField, plainControl } from '@/components/plain/plain-field'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import { cn } from '@/components/ui/cn'
import { TextLink } from '@/components/ui/text-link'
import { FieldMessage } from '../../_ui/field-message'
import { type FormFailure, otherFailure } from '../../_ui/form-failure'
import { StepButton } from '../../_ui/step-button'
import { StepHeading, stepHeadingId } from '../../_ui/step-heading'
import { WhyNotSent } from './why-not-sent'

const fieldId = 'recovery-email'

/** Asks for the e-mail of the account. `email` is in the field when the page opens. */
export function AskForLink({ email, failed }: { email: string; failed: FormFailure | null }) {
  const t = useTranslations('recovery.forgot')
  const errorText = useErrorText()
  const code = failed?.errors.email
  const error = code && errorText(code)
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading lead={t('lead')}>{t('title')}</StepHeading>
      <WhyNotSent failure={otherFailure(failed, ['email'])} />
      <FieldMessage>{error}</FieldMessage>
      <PublicForm form="ask" id={stepFormId} aria-labelledby={stepHeadingId} className="grid gap-6">
        <PlainField id={fieldId} label={t('email')} error={error}>
          <input
            {...plainControl(fieldId, error)}
            {...focused}
            name="email"
            defaultValue={failed?.typed('email') ?? email}
            type="text"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="send"
            className={cn(inputClasses, 'h-12')}
          />
        </PlainField>
        <StepButton>{t('send')}</StepButton>
      </PublicForm>
      <TextLink href="/platform/login" className="justify-self-start">
        {t('toSignIn')}
      </TextLink>
    </div>
  )
}
