'use client'

import { useTranslations } from 'next-intl'
import { LinkButton, TextLink } from '@/components/ui/text-link'
import { useSecondsTo } from '@/components/ui/use-clock'
import { AuthSubmitButton } from '../../_ui/auth-submit-button'
import { NotReceived } from '../../_ui/not-received'
import { StepTitle, stepForm } from '../../_ui/step-title'
import { TimeLeft } from '../../_ui/time-left'
import { useAsking } from './use-asking'
import { WhyNotSent } from './why-not-sent'

export type Sent = {
  email: string
  /** In milliseconds since the epoch. */
  resendAt: number
  /** The number of this mail. */
  count: number
}
type Props = { sent: Sent; onSent: (email: string, resendIn: number) => void; onOther: () => void }

/** Says that the link was sent if an account exists. The text is the same if none exists. */
export function LinkSent({ sent: { email, resendAt, count }, onSent, onOther }: Props) {
  const t = useTranslations('recovery.forgot.sent')
  const tForgot = useTranslations('recovery.forgot')
  const resendIn = useSecondsTo(resendAt)
  const { failed, pending, submit, until } = useAsking({ emailOf: () => email, onSent })
  const lead = t.rich('lead', { email: () => <strong className="wrap-anywhere font-medium text-ink">{email}</strong> })
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      <StepTitle moved lead={lead}>
        {t('title')}
      </StepTitle>
      {count > 1 ? (
        <p role="status" className="text-ink-second">
          {t('again')}
        </p>
      ) : null}
      <WhyNotSent failed={failed} until={until} />
      {resendIn > 0 ? (
        <div className="text-ink-second">
          <TimeLeft label={t('resendIn')} seconds={resendIn} />
        </div>
      ) : until ? null : (
        <form {...stepForm} onSubmit={submit} className="grid">
          <AuthSubmitButton pending={pending}>{t('resend')}</AuthSubmitButton>
        </form>
      )}
      <NotReceived label={t('notReceived')} advice={t('advice')} />
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-3">
        <LinkButton onClick={onOther} className="pointer-coarse:min-h-11">
          {t('other')}
        </LinkButton>
        <TextLink href="/platform/login">{tForgot('toSignIn')}</TextLink>
      </div>
    </div>
  )
}
