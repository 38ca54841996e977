'use client'

import { useTranslations } from 'next-intl'
import type { TermsRequired } from '@/lib/base/runtime/errors'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import { AuthSubmitButton } from '../../_ui/auth-submit-button'
import { FailureSummary } from '../../_ui/failure-summary'
import { StepTitle, stepForm } from '../../_ui/step-title'
import { TermsFields } from '../../_ui/terms-fields'
import { useSubmission } from '../../_ui/use-submission'
import { termFieldId, useTerms } from '../../_ui/use-terms'
import type { FlowStepProps } from './flow-step'
import { sendProof } from './send-proof'
import { SigningInAs } from './signing-in-as'

/** Asks for the agreements that this domain requires at sign-in. The proven factors stay proven. */
export function TermsStep({ terms: list, flow, ...props }: FlowStepProps & { terms: TermsRequired[]; flow: FlowId }) {
  const t = useTranslations('entry.terms')
  const terms = useTerms(list)
  const { failed, errors, pending, submit, forget } = useSubmission({
    check: terms.check,
    send: () => sendProof(props, { flow, termsAgree: terms.answers() }),
    onExpired: props.onExpired,
  })
  return (
    <div data-step className="grid animate-arrive gap-6">
      <StepTitle moved={props.moved} lead={t('lead')}>
        {t('title')}
      </StepTitle>
      <SigningInAs identifier={props.attempt.identifier} onChange={props.onChange} />
      <FailureSummary
        failed={failed}
        fields={Object.fromEntries(
          list.map(({ id, title }) => [termFieldId(id), { id: termFieldId(id), label: title }]),
        )}
      />
      <form {...stepForm} onSubmit={submit} className="grid gap-6">
        <TermsFields terms={terms} errors={errors} forget={forget} />
        <AuthSubmitButton pending={pending}>{t('accept')}</AuthSubmitButton>
      </form>
    </div>
  )
}
