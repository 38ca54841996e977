import { useTranslations } from 'next-intl'
import { focused } from '@/components/form/focused'
import { FailureAlert } from '../../_ui/failure-alert'
import { otherFailure } from '../../_ui/form-failure'
import { StepHeading } from '../../_ui/step-heading'
import { AttemptFields } from './attempt-form'
import type { FactorStepProps } from './factor-steps'
import { OtherFlows } from './other-flows'
import { PasskeyFault, PasskeyForm } from './passkey-form'
import { SigningInAs } from './signing-in-as'

/** Asks for a passkey of the person. */
export function PasskeyStep({
  attempt,
  others,
  back,
  failed,
}: Pick<FactorStepProps, 'attempt' | 'others' | 'back' | 'failed'>) {
  const t = useTranslations('entry.passkey')
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading lead={t('lead')}>{t('title')}</StepHeading>
      <SigningInAs identifier={attempt.identifier} back={back} />
      <FailureAlert announced failure={otherFailure(failed, ['passkey'])} />
      <PasskeyFault failed={failed} />
      <PasskeyForm button={{ ...focused, children: t('use') }} look={{ size: 'L' }} tells>
        <AttemptFields attempt={attempt} flow="passkey" />
      </PasskeyForm>
      <OtherFlows flows={others} attempt={attempt} />
    </div>
  )
}
