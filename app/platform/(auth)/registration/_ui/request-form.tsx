import { useTranslations } from 'next-intl'
import { focused } from '@/components/form/focused'
import { useErrorText } from '@/components/form/use-error-text'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import { TextInput } from '@/components/plain/text-input'
import { TextLink } from '@/components/ui/text-link'
import type { TermsRequired } from '@/lib/base/runtime/errors'
import type { NameField } from '@/lib/fields/profile-fields/person-form'
import type { FormFailure, Typed } from '../../_ui/form-failure'
import { NameInputs, nameLabels } from '../../_ui/name-inputs'
import { StepButton } from '../../_ui/step-button'
import { StepHeading, stepHeadingId } from '../../_ui/step-heading'
import { TermsBoxes, termLabels } from '../../_ui/terms-boxes'
import { RegistrationFailure } from './registration-failure'

const emailId = 'registration-email'

type Props = {
  names: NameField[]
  terms: TermsRequired[]
  failed: FormFailure | null
  /** What was sent before, if the person came back. */
  before: Typed | null
}

/** Asks who registers, where to send the link, and for the agreements. */
export function RequestForm({ names, terms, failed, before }: Props) {
  const t = useTranslations('registration')
  const tPerson = useTranslations('person')
  const errorText = useErrorText()
  const fault = failed?.errors.email
  const typed = (field: string) => (failed ?? before)?.typed(field)
  const fields = {
    ...nameLabels(names),
    email: { id: emailId, label: tPerson('email') },
    ...termLabels(terms),
  }
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading lead={t('lead')}>{t('title')}</StepHeading>
      <RegistrationFailure failure={failed?.failure ?? null} fields={fields} title={t('errorRequestTitle')} />
      <PublicForm form="request" id={stepFormId} aria-labelledby={stepHeadingId} className="grid gap-6">
        <NameInputs opens={!failed} names={names} typed={typed} failed={failed} />
        <TextInput
          name="email"
          id={emailId}
          label={tPerson('email')}
          error={fault && errorText(fault)}
          defaultValue={typed('email')}
          {...(names.length === 0 && !failed && focused)}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={254}
        />
        <TermsBoxes terms={terms} errors={failed?.errors ?? {}} before={failed ?? before} />
        <StepButton>{t('submit')}</StepButton>
      </PublicForm>
      <p className="text-ink-second">
        {t.rich('have', { link: (words) => <TextLink href="/platform/login">{words}</TextLink> })}
      </p>
    </div>
  )
}
