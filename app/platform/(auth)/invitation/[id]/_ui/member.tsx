import { getTranslations } from 'next-intl/server'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import type { InvitationView } from '@/lib/joining/invitations/contract'
import { FailureAlert } from '../../../_ui/failure-alert'
import type { FormFailure } from '../../../_ui/form-failure'
import { StepButton } from '../../../_ui/step-button'
import { stepHeadingId } from '../../../_ui/step-heading'
import { TermsBoxes, termLabels } from '../../../_ui/terms-boxes'
import { ToDecline } from './decline'
import { Offer } from './offer'

type Props = { view: InvitationView; decline: string; failed: FormFailure | null }

/** For a signed-in invitee: they agree to the terms, and one click accepts. */
export async function Member({ view, decline, failed }: Props) {
  const t = await getTranslations('invitation')
  return (
    <div className="grid grid-cols-1 gap-6">
      <Offer view={view} />
      <FailureAlert
        failure={failed?.failure ?? null}
        fields={termLabels(view.termsRequired)}
        action={t('acceptFailed')}
      />
      <p>{t('signedInAs', { login: view.login })}</p>
      <PublicForm form="accept" id={stepFormId} aria-labelledby={stepHeadingId} className="grid gap-6">
        <TermsBoxes terms={view.termsRequired} errors={failed?.errors ?? {}} before={failed} />
        <div className="grid gap-3">
          <StepButton>{t('accept')}</StepButton>
          <ToDecline to={decline} />
        </div>
      </PublicForm>
    </div>
  )
}
