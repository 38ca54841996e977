import { getTranslations } from 'next-intl/server'
import { stepFormId } from '@/components/plain/public-form'
import type { TermsRequired } from '@/lib/base/runtime/errors'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import { FailureAlert } from '../../_ui/failure-alert'
import type { FormFailure } from '../../_ui/form-failure'
import { StepButton } from '../../_ui/step-button'
import { StepHeading, stepHeadingId } from '../../_ui/step-heading'
import { TermsBoxes, termLabels } from '../../_ui/terms-boxes'
import { type Attempt, AttemptForm } from './attempt-form'
import { SigningInAs } from './signing-in-as'

type Props = { terms: TermsRequired[]; flow: FlowId; attempt: Attempt; back: string; failed: FormFailure | null }

/** Asks for the agreements that this domain requires at sign-in. The proven factors stay proven. */
export async function TermsStep({ terms, flow, attempt, back, failed }: Props) {
  const t = await getTranslations('entry.terms')
  return (
    <div className="grid animate-arrive gap-6">
      <StepHeading lead={t('lead')}>{t('title')}</StepHeading>
      <SigningInAs identifier={attempt.identifier} back={back} />
      <FailureAlert failure={failed?.failure ?? null} fields={termLabels(terms)} />
      <AttemptForm form="terms" attempt={attempt} flow={flow} id={stepFormId} labelledBy={stepHeadingId}>
        <TermsBoxes terms={terms} errors={failed?.errors ?? {}} before={failed} />
        <StepButton>{t('accept')}</StepButton>
      </AttemptForm>
    </div>
  )
}
