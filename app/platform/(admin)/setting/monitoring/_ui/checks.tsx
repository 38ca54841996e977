import { getFormatter, getTranslations } from 'next-intl/server'
import type { z } from 'zod'
import { ListLink } from '@/components/list/list'
import { ListTable } from '@/components/list/list-table'
import { Criticality } from '@/components/ui/criticality'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import { UptimeStrip } from '@/components/ui/uptime-strip'
import type { Ctx } from '@/lib/base/context/ctx'
import { wordsOf } from '@/lib/base/i18n/words'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { checkStatuses, type MonitoringQuery } from '@/lib/operations/monitoring/contract'
import { listMonitoredApplications, listMonitoring } from '@/lib/operations/monitoring/service'
import { shownState } from '@/lib/operations/monitoring/state'
import { historyHref } from './history-href'

type Props = {
  ctx: Ctx
  query: z.output<typeof MonitoringQuery>
  address: ListAddress
  /** The id of the check whose history is shown. */
  opened: string | undefined
}

const tones = { up: 'ok', down: 'danger', stuck: 'warning', unseen: 'neutral', unconnected: 'neutral' } as const

/** The checks, with their filters. The name of a check opens its history below the list. */
export async function Checks({ ctx, query, address, opened }: Props) {
  const [t, format, { data, meta }, { applications }] = await Promise.all([
    getTranslations('monitoring'),
    getFormatter(),
    listMonitoring(ctx, { query }),
    listMonitoredApplications(ctx),
  ])
  const words = wordsOf(t)
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      rows={data}
      caption={t('caption')}
      exports="/setting/monitoring/xlsx"
      filters={[
        { kind: 'text', name: 'key', label: t('key'), hint: t('search') },
        {
          kind: 'choice',
          name: 'status',
          label: t('status'),
          options: checkStatuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
        },
        {
          kind: 'many',
          name: 'applications',
          label: t('applications'),
          options: applications.map(({ id, name }) => ({ value: id, label: name })),
        },
      ]}
      empty={{ title: t('emptyTitle'), text: t('emptyText') }}
      columns={[
        {
          title: true,
          by: 'application',
          label: t('what'),
          cell: (row) => (
            <>
              <ListLink
                href={historyHref(address, row.id)}
                aria-current={row.id === opened || undefined}
                title={t('openHistory')}
                className="rounded-[2px] underline-offset-4 hover:underline aria-[current]:text-brand"
              >
                {row.application ?? words(`kinds.${row.kind}`)}
              </ListLink>
              <span className="block font-normal text-ink-second text-note">
                {row.kind === 'provider' ? (
                  words('kinds.provider')
                ) : (
                  <Mono>{row.key.replace(/^application:/, '')}</Mono>
                )}
              </span>
            </>
          ),
        },
        {
          by: 'critical',
          first: 'desc',
          label: t('critical'),
          priority: 3,
          cell: ({ critical }) => <Criticality level={critical}>{words(`criticality.${critical}`)}</Criticality>,
        },
        {
          by: 'status',
          first: 'desc',
          label: t('status'),
          cell: (row) => {
            const state = shownState(row)
            return (
              <Pill tone={tones[state]}>{words(`statuses.${state}`, { kind: row.kind, count: row.stuckCount })}</Pill>
            )
          },
        },
        {
          label: t('day'),
          whole: true,
          cell: ({ bars }) => (
            <UptimeStrip
              bars={bars}
              label={
                bars.every((bar) => bar === 'none')
                  ? t('noLooks')
                  : t('strip', { bad: bars.filter((bar) => bar === 'bad' || bar === 'partly').length })
              }
            />
          ),
        },
        {
          label: t('available'),
          align: 'right',
          className: 'tabular-nums',
          cell: ({ available }) => (available === null ? '—' : format.number(available, { minimumFractionDigits: 1 })),
        },
        {
          by: 'latency',
          first: 'desc',
          label: t('latency'),
          align: 'right',
          className: 'tabular-nums',
          priority: 2,
          cell: ({ latency }) => (latency === null ? '—' : format.number(latency)),
        },
        {
          by: 'errorAt',
          first: 'desc',
          label: t('errorAt'),
          priority: 2,
          className: 'text-ink-second',
          cell: ({ errorAt, lastError, checkedAt, connected }) =>
            errorAt ? (
              <>
                <DateTime value={errorAt} />
                <span className="block text-note">
                  {words.has(`errors.${lastError}`) ? words(`errors.${lastError}`) : lastError}
                </span>
              </>
            ) : checkedAt && connected ? (
              t('noError')
            ) : (
              '—'
            ),
        },
      ]}
    />
  )
}
