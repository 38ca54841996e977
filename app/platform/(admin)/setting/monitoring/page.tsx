import { getFormatter, getTranslations } from 'next-intl/server'
import { StreamedPart } from '@/components/hydration/streamed-part'
import { List } from '@/components/list/list'
import { TableSkeleton } from '@/components/list/table-skeleton'
import { ScreenPage } from '@/components/shell/screen-page'
import { Alert } from '@/components/ui/alert'
import { getZone } from '@/components/ui/get-zone'
import { Id } from '@/lib/base/contracts/contract'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { MonitoringQuery } from '@/lib/operations/monitoring/contract'
import { monitoringTurn } from '@/lib/operations/monitoring/service'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { platformSettings } from '@/lib/site/settings/service'
import { CheckHistory, hoursIn } from './_ui/check-history'
import { Checks } from './_ui/checks'
import { RefreshMonitoring } from './_ui/refresh'

export const generateMetadata = () => screenTitle('PlatformMonitoring')

/** Returns a period in the largest unit that divides it. */
const inUnits = (seconds: number) =>
  seconds % 3_600 === 0
    ? ({ unit: 'hours', count: seconds / 3_600 } as const)
    : seconds % 60 === 0
      ? ({ unit: 'minutes', count: seconds / 60 } as const)
      : ({ unit: 'seconds', count: seconds } as const)

/** The checks and their state; below them the answers of one. */
export default async function MonitoringPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const { name, ctx, query, address, own } = await listPageContext(
    'PlatformMonitoring',
    MonitoringQuery,
    searchParams,
    ['open', 'hours'],
  )
  const [t, format, zoneOf, turn, settings] = await Promise.all([
    getTranslations('monitoring'),
    getFormatter(),
    getZone(),
    monitoringTurn(ctx),
    platformSettings(),
  ])
  const { data: openId } = Id.safeParse(own.open)
  const { unit, count } = inUnits(settings.monitoringPeriod)
  const checkedAt = turn.checkedAt && new Date(turn.checkedAt)
  const zone = checkedAt && zoneOf(checkedAt)
  const time =
    checkedAt && `${format.dateTime(checkedAt, { hour: 'numeric', minute: '2-digit', second: '2-digit' })} (${zone})`
  const lead = [t('period', { period: t(`periods.${unit}`, { count }) }), time ? t('last', { time }) : t('never')].join(
    ' ',
  )
  return (
    <ScreenPage
      name={name}
      texts="monitoring"
      text={lead}
      action={<RefreshMonitoring />}
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
    >
      {turn.stale && checkedAt ? (
        <Alert tone="danger" title={t('staleTitle')}>
          <p>
            {t('staleText', {
              time: `${format.dateTime(checkedAt, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })} (${zone})`,
            })}
          </p>
        </Alert>
      ) : null}
      <List>
        <StreamedPart fallback={<TableSkeleton columns={7} />}>
          <Checks ctx={ctx} query={query} address={address} opened={openId} />
        </StreamedPart>
        {openId ? (
          <StreamedPart key={openId} fallback={<TableSkeleton columns={3} />}>
            <CheckHistory ctx={ctx} id={openId} hours={hoursIn(own.hours)} address={address} />
          </StreamedPart>
        ) : null}
      </List>
    </ScreenPage>
  )
}
