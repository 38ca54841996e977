import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Pill } from '@/components/ui/pill'
import type { Ctx } from '@/lib/base/context/ctx'
import { readUserLimits } from '@/lib/operations/account-limits/service'
import { StoppedAddress } from '../../../_ui/stopped-address'
import { LiftLimits } from './lift-limits'

/** The limits that have stopped a person, their ends, and the buttons that lift them. */
export async function Limits({ ctx, id, mayLift }: { ctx: Ctx; id: string; mayLift: boolean }) {
  const [t, { password, codes, sent, addresses }] = await Promise.all([
    getTranslations('users'),
    readUserLimits(ctx, { params: { id } }),
  ])
  const counted = password.failures + codes.month + sent.day > 0 || password.until !== null || sent.stops.length > 0
  const ends = (until: string) => t.rich('limitUntil', { time: () => <DateTime value={until} /> })
  const state = (text: string, closed: { label: string; until: ReactNode }[]) => (
    <span className="grid gap-1">
      {text}
      {closed.map(({ label, until }) => (
        <span key={label} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Pill tone="danger">{label}</Pill>
          <span className="text-ink-second text-note">{until}</span>
        </span>
      ))}
    </span>
  )
  const ofPassword = [
    ...(password.closed ? [{ label: t('passwordClosed'), until: t('limitUntilCode') }] : []),
    ...(password.until ? [{ label: t('passwordWait'), until: ends(password.until) }] : []),
  ]
  return (
    <CardGroup title={t('limits')} action={mayLift && counted && id !== ctx.user?.id ? <LiftLimits id={id} /> : null}>
      <KeyValues>
        <KeyValue label={t('wrongPasswords')}>
          {state(t('inRow', { count: String(password.failures) }), ofPassword)}
        </KeyValue>
        <KeyValue label={t('wrongCodes')}>
          {state(
            t('codesCounted', { day: String(codes.day), month: String(codes.month) }),
            codes.until ? [{ label: t('codesClosed'), until: ends(codes.until) }] : [],
          )}
        </KeyValue>
        <KeyValue label={t('codesSent')}>
          {state(
            t('sentCounted', { count: String(sent.day) }),
            sent.stops.map(({ kind, until }) => ({ label: t(`sentKinds.${kind}`), until: ends(until) })),
          )}
        </KeyValue>
        {addresses.length > 0 ? (
          <KeyValue label={t('stoppedAddresses')} tall>
            <span className="grid gap-3">
              {addresses.map((stopped) => (
                <StoppedAddress key={stopped.ip} stopped={stopped} mayLift={mayLift} />
              ))}
            </span>
          </KeyValue>
        ) : null}
      </KeyValues>
    </CardGroup>
  )
}
