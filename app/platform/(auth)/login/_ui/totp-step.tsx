import { useTranslations } from 'next-intl'
import { focused } from '@/components/form/focused'
import { inputClasses } from '@/components/form/input-classes'
import { useErrorText } from '@/components/form/use-error-text'
import { PlainField, plainControl } from '@/components/plain/plain-field'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import { buttonClasses } from '@/components/ui/button-classes'
import { cn } from '@/components/ui/cn'
import { AppKey, QrPicture } from '@/components/ui/qr-picture'
import { CodeBoxes } from '../../_ui/code-boxes'
import { FailureAlert } from '../../_ui/failure-alert'
import { FieldMessage } from '../../_ui/field-message'
import { Folded } from '../../_ui/folded'
import { otherFailure } from '../../_ui/form-failure'
import { StepButton } from '../../_ui/step-button'
import { StepHeading, stepHeadingId } from '../../_ui/step-heading'
import { AttemptFields } from './attempt-form'
import type { FactorStepProps } from './factor-steps'
import { OtherFlows } from './other-flows'
import { SigningInAs } from './signing-in-as'

const fieldId = 'app-code'
const recoveryId = 'recovery-code'
const digits = 6

type Props = Pick<FactorStepProps, 'attempt' | 'others' | 'back' | 'failed' | 'newApp'>

/**
 * Asks for the code of the authenticator app, or for a recovery code in its place. A person who has no app yet sets it up
 * here.
 */
export function TotpStep({ attempt, others, back, failed, newApp }: Props) {
  const t = useTranslations('entry.totp')
  const tCommon = useTranslations('common')
  const errorText = useErrorText()
  const faultOf = (field: 'code' | 'recoveryCode', wrong: string) => {
    const code = failed?.errors[field]
    return code === 'errorCode' ? wrong : code && errorText(code === 'errorEmpty' ? 'errorCodeEmpty' : code)
  }
  const error = faultOf('code', t('wrong'))
  const recoveryError = faultOf('recoveryCode', t('recoveryWrong'))
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading lead={newApp ? t('setUp.lead') : t('lead')}>{newApp ? t('setUp.title') : t('title')}</StepHeading>
      <SigningInAs identifier={attempt.identifier} back={back} />
      <FailureAlert announced failure={otherFailure(failed, ['code', 'recoveryCode'])} />
      <FieldMessage>{error ?? recoveryError}</FieldMessage>
      <PublicForm form="code" id={stepFormId} aria-labelledby={stepHeadingId} className="grid gap-6">
        <AttemptFields attempt={attempt} flow="totp" />
        {newApp ? (
          <div className="grid justify-items-start gap-3">
            <p>{t('setUp.scan')}</p>
            <QrPicture qr={newApp.qr} label={t('setUp.qr')} />
            <p className="text-ink-second text-note">
              {t('setUp.type')} <AppKey>{newApp.key}</AppKey>
            </p>
          </div>
        ) : null}
        <CodeBoxes
          id={fieldId}
          name="code"
          label={newApp ? t('setUp.code') : t('label')}
          error={error}
          expired={t('wrong')}
          length={digits}
          focusedFirst={newApp ? error !== undefined : recoveryError === undefined}
        >
          {null}
        </CodeBoxes>
        <StepButton>{newApp ? t('setUp.send') : tCommon('continue')}</StepButton>
      </PublicForm>
      {newApp ? null : (
        <Folded question={t('recovery')} open={recoveryError !== undefined}>
          <PublicForm form="recovery" className="mt-3 grid gap-4">
            <AttemptFields attempt={attempt} flow="totp" />
            <p>{t('recoveryLead')}</p>
            <PlainField id={recoveryId} label={t('recoveryLabel')} error={recoveryError} hint={t('noCodes')}>
              <input
                {...plainControl(recoveryId, recoveryError)}
                {...(recoveryError === undefined ? {} : focused)}
                name="recoveryCode"
                type="text"
                autoComplete="off"
                autoCapitalize="none"
                autoCorrect="off"
                spellCheck={false}
                enterKeyHint="go"
                maxLength={32}
                className={cn(inputClasses, 'h-12')}
              />
            </PlainField>
            <button type="submit" className={cn(buttonClasses({ variant: 'secondary' }), 'justify-self-start')}>
              {t('recoverySend')}
            </button>
          </PublicForm>
        </Folded>
      )}
      <OtherFlows flows={others} attempt={attempt} />
    </div>
  )
}
