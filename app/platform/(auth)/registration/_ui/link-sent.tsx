import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import { buttonClasses } from '@/components/ui/button-classes'
import { LinkButton } from '@/components/ui/text-link'
import { requestFields } from '@/lib/joining/forms/person'
import type { FormFailure, SentLink } from '../../_ui/form-failure'
import { NotReceived } from '../../_ui/not-received'
import { RunningTime } from '../../_ui/running-time'
import { SentAgain } from '../../_ui/sent-again'
import { StepHeading, stepHeadingId } from '../../_ui/step-heading'
import { RegistrationFailure } from './registration-failure'

const units = [
  ['aliveDays', 86_400, 172_800],
  ['aliveHours', 3_600, 3_600],
  ['aliveMinutes', 60, 60],
] as const

/** Returns a duration in the largest unit that gives a whole number; less than two days are hours, as in the mail. */
function inUnits(seconds: number) {
  const [words, length] = units.find(([, length, least]) => seconds % length === 0 && seconds >= least) ?? units[2]
  return { words, count: Math.floor(seconds / length) }
}

type Props = {
  sent: SentLink
  /** For how many seconds the link is valid. */
  alive: number
  failed: FormFailure | null
}

/** Says where the link was sent. The text doesn't depend on whether the e-mail is known. */
export function LinkSent({ sent, alive, failed }: Props) {
  const { again, resendAt } = sent
  const t = useTranslations('registration')
  const { words, count } = inUnits(alive)
  const address = () => <span className="wrap-anywhere font-medium text-ink">{sent.typed('email')}</span>
  const form = (form: 'request' | 'change', children: ReactNode) => (
    <PublicForm
      form={form}
      {...(form === 'request' && { id: stepFormId, 'aria-labelledby': stepHeadingId })}
      className="grid justify-items-stretch gap-3"
    >
      <SentAgain sent={sent} fields={requestFields} />
      {children}
    </PublicForm>
  )
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading
        opens={!failed}
        lead={
          <>
            {t.rich(again ? 'sent.again' : 'sent.lead', { email: address })} {t(`sent.${words}`, { count })}
          </>
        }
      >
        {t('sent.title')}
      </StepHeading>
      <RegistrationFailure failure={failed?.failure ?? null} fields={{}} title={t('errorRequestTitle')} />
      {form(
        'request',
        <>
          <input type="hidden" name="before" value={resendAt} />
          {again ? <input type="hidden" name="again" value="1" /> : null}
          {resendAt > Date.now() ? (
            <p className="text-ink-second">
              <RunningTime label={t('sent.resendIn')} until={resendAt} data-wait />
            </p>
          ) : null}
          <button type="submit" data-after-wait className={buttonClasses({ variant: 'secondary', size: 'L' })}>
            {t('sent.resend')}
          </button>
        </>,
      )}
      <NotReceived label={t('sent.notReceived')} advice={t('sent.advice')} />
      {form(
        'change',
        <LinkButton type="submit" className="justify-self-start pointer-coarse:min-h-11">
          {t('sent.change')}
        </LinkButton>,
      )}
    </div>
  )
}
