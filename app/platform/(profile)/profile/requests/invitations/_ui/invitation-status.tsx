import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { DateTime } from '@/components/ui/date-time'
import { Pill } from '@/components/ui/pill'
import type { SentInvitation } from '@/lib/joining/sent-invitations/contract'

const tones = {
  active: 'warning',
  deactivated: 'neutral',
  refusal: 'danger',
  success: 'ok',
  autoSuccess: 'ok',
  deleted: 'neutral',
} as const satisfies Record<SentInvitation['status'], string>

/** The status of an invitation, and the time of the status or the end of the invitation. */
export function InvitationStatus({ of }: { of: Pick<SentInvitation, 'status' | 'expiresAt' | 'finishedAt'> }) {
  const t = useTranslations('invitations')
  const { status, expiresAt, finishedAt } = of
  const note = (text: ReactNode) => <span className="text-ink-second text-note">{text}</span>
  const moment = status === 'active' || status === 'deactivated' ? expiresAt : finishedAt
  return (
    <span className="grid justify-items-start gap-1">
      <Pill tone={tones[status]}>{t(`statuses.${status}`)}</Pill>
      {moment ? note(t.rich(status === 'active' ? 'until' : 'at', { date: () => <DateTime value={moment} /> })) : null}
    </span>
  )
}
