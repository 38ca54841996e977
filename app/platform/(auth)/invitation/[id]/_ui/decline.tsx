import { getTranslations } from 'next-intl/server'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import { buttonClasses } from '@/components/ui/button-classes'
import { FailureAlert } from '../../../_ui/failure-alert'
import type { FormFailure } from '../../../_ui/form-failure'
import { StepHeading, stepHeadingId } from '../../../_ui/step-heading'

/** Leads to the question whether the invitation is to be declined. */
export async function ToDecline({ to }: { to: string }) {
  const t = await getTranslations('invitation.decline')
  return (
    <a href={to} className={buttonClasses({ variant: 'secondary', size: 'L' })}>
      {t('action')}
    </a>
  )
}

type Props = { inviter: string; company: string; back: string; failed: FormFailure | null }

/** Asks whether the invitation is to be declined, and says what happens then (docs/rules/invitations.md#declining). */
export async function Decline({ inviter, company, back, failed }: Props) {
  const [t, tInvitation, tUi] = await Promise.all([
    getTranslations('invitation.decline'),
    getTranslations('invitation'),
    getTranslations('ui'),
  ])
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading opens={!failed} lead={t('text', { inviter: inviter || tInvitation('somebody') })}>
        {t('title', { company })}
      </StepHeading>
      <FailureAlert failure={failed?.failure ?? null} action={t('failed')} />
      <PublicForm form="decline" id={stepFormId} aria-labelledby={stepHeadingId} className="grid gap-3">
        <button type="submit" className={buttonClasses({ variant: 'danger', size: 'L' })}>
          {t('confirm')}
        </button>
        <a href={back} className={buttonClasses({ variant: 'secondary', size: 'L' })}>
          {tUi('cancel')}
        </a>
      </PublicForm>
    </div>
  )
}
