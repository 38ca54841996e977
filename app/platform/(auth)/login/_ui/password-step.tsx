import { useTranslations } from 'next-intl'
import { focused } from '@/components/form/focused'
import { useErrorText } from '@/components/form/use-error-text'
import { PasswordInput } from '@/components/plain/password-input'
import { stepFormId } from '@/components/plain/public-form'
import { TextLink } from '@/components/ui/text-link'
import { AccountName } from '../../_ui/account-name'
import { FailureAlert } from '../../_ui/failure-alert'
import { FieldMessage } from '../../_ui/field-message'
import { otherFailure } from '../../_ui/form-failure'
import { StepButton } from '../../_ui/step-button'
import { StepHeading, stepHeadingId } from '../../_ui/step-heading'
import { AttemptForm } from './attempt-form'
import type { FactorStepProps } from './factor-steps'
import { OtherFlows } from './other-flows'
import { SigningInAs } from './signing-in-as'

/** Asks for the password. */
export function PasswordStep({
  attempt,
  others,
  back,
  failed,
}: Pick<FactorStepProps, 'attempt' | 'others' | 'back' | 'failed'>) {
  const t = useTranslations('entry')
  const tCommon = useTranslations('common')
  const errorText = useErrorText()
  const code = failed?.errors.password
  // the open flows are the same for everybody until the first proof is right (docs/rules/sign-in.md#strangers)
  const error = code === 'signInFailed' && others.length > 0 ? t('credentials.failedOrCode') : code && errorText(code)
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading>{t('credentials.title')}</StepHeading>
      <SigningInAs identifier={attempt.identifier} back={back} />
      <FailureAlert announced failure={otherFailure(failed, ['password'])} />
      <FieldMessage>{error}</FieldMessage>
      <AttemptForm form="password" attempt={attempt} id={stepFormId} labelledBy={stepHeadingId}>
        <AccountName value={attempt.identifier} />
        <PasswordInput
          name="password"
          id="sign-in-password"
          label={t('credentials.password')}
          error={error}
          {...focused}
          autoComplete="current-password"
          enterKeyHint="go"
        />
        <StepButton>{tCommon('signIn')}</StepButton>
      </AttemptForm>
      <TextLink href="/platform/forgot-password" className="justify-self-start">
        {t('credentials.forgot')}
      </TextLink>
      <OtherFlows flows={others} attempt={attempt} />
    </div>
  )
}
