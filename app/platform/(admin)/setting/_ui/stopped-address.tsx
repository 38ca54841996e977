import { getTranslations } from 'next-intl/server'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import type { StoppedAddress as Stopped } from '@/lib/operations/address-limits/contract'
import { LiftAddress } from './lift-address'

/** An address that limits have stopped, with each of them and its end, and the button that lifts them. */
export async function StoppedAddress({ stopped: { ip, limits }, mayLift }: { stopped: Stopped; mayLift: boolean }) {
  const t = await getTranslations('address-limits')
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="grid min-w-0 flex-1 basis-48 justify-items-start gap-0.5">
        <Mono>{ip}</Mono>
        {limits.map(({ limit, until }) => (
          <span key={limit} className="text-ink-second text-note">
            {t.rich('stopped', { limit: t(`limits.${limit}`), time: () => <DateTime value={until} /> })}
          </span>
        ))}
      </div>
      {mayLift ? <LiftAddress ip={ip} /> : null}
    </div>
  )
}
