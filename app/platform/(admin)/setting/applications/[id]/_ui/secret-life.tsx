import { getFormatter, getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { DateTime } from '@/components/ui/date-time'
import { getZone } from '@/components/ui/get-zone'
import { Pill } from '@/components/ui/pill'

type Props = { of: 'clients' | 'webhooks'; since: string | null; until: string | null; children: ReactNode }

/** A secret of a client or of a webhook, its age, and how long a previous one is still valid. */
export async function SecretLife({ of, since, until, children }: Props) {
  const [t, format, zoneOf] = await Promise.all([getTranslations(of), getFormatter(), getZone()])
  return (
    <span className="grid gap-1">
      <span className="flex flex-wrap items-center gap-2">
        {children}
        {until ? (
          <Pill tone="warning">
            {t('until', {
              date: `${format.dateTime(new Date(until), { dateStyle: 'medium', timeStyle: 'short' })} (${zoneOf(new Date(until))})`,
            })}
          </Pill>
        ) : null}
      </span>
      {since ? (
        <span className="text-ink-second text-note">
          {t('since')} <DateTime value={since} />
        </span>
      ) : null}
    </span>
  )
}
