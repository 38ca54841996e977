'use client'

import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/text-link'
import { useSecondsTo } from '@/components/ui/use-clock'
import type { Failure } from '../../_ui/failure'
import { NotReceived } from '../../_ui/not-received'
import { StepTitle, stepForm } from '../../_ui/step-title'
import { TimeLeft } from '../../_ui/time-left'
import { useSubmission } from '../../_ui/use-submission'
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
  email: string
  /** Whether another mail was sent to the address before. */
  again: boolean
  /** When the person may request another, in milliseconds since the epoch. */
  resendAt: number
  /** For how many seconds the link is valid. */
  alive: number
  onResend: () => Promise<'done' | Failure>
  /** Returns to the form. */
  onChange: () => void
}

/** Says where the link was sent. The text doesn't depend on whether the e-mail is known. */
export function LinkSent({ email, again, resendAt, alive, onResend, onChange }: Props) {
  const t = useTranslations('registration')
  const tCommon = useTranslations('common')
  const resendIn = useSecondsTo(resendAt)
  const { failed, pending, submit } = useSubmission({
    send: async () => {
      const outcome = await onResend()
      // the form shows which fields are missing
      if (outcome !== 'done' && outcome.kind === 'form') onChange()
      return outcome
    },
  })
  const { words, count } = inUnits(alive)
  const address = () => <span className="wrap-anywhere font-medium text-ink">{email}</span>
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <StepTitle
        moved
        lead={
          <>
            {t.rich(again ? 'sent.again' : 'sent.lead', { email: address })} {t(`sent.${words}`, { count })}
          </>
        }
      >
        {t('sent.title')}
      </StepTitle>
      <RegistrationFailure failed={failed} fields={{}} title={t('errorRequestTitle')} />
      <form {...stepForm} onSubmit={submit} className="grid gap-3">
        {resendIn > 0 ? (
          <p className="text-ink-second">
            <TimeLeft label={t('sent.resendIn')} seconds={resendIn} />
          </p>
        ) : (
          <Button type="submit" variant="secondary" size="L" pending={pending}>
            {t('sent.resend')}
          </Button>
        )}
        <p role="status" className="sr-only">
          {pending ? tCommon('pending') : ''}
        </p>
      </form>
      <NotReceived label={t('sent.notReceived')} advice={t('sent.advice')} />
      <p>
        <LinkButton onClick={onChange} className="pointer-coarse:min-h-11">
          {t('sent.change')}
        </LinkButton>
      </p>
    </div>
  )
}
