import { getTranslations } from 'next-intl/server'
import { CardList } from '@/components/card/card-list'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Pill } from '@/components/ui/pill'
import { readList } from '@/lib/context/list-page'
import type { listProviderSyncHistory as list } from '@/lib/entry/provider-sync/contract'
import { listProviderSyncHistory } from '@/lib/entry/provider-sync/service'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { ListAddress } from '@/lib/kernel/list-address'
import { RunLength, RunRowMenu } from './run-parts'

type Props = Pick<VerbInput<typeof list>, 'query'> & {
  ctx: Ctx
  syncId: string
  address: ListAddress
  mayWrite: boolean
}

const tones = { running: 'info', stopped: 'warning', done: 'ok' } as const

/** The fourth tab: the runs, the newest first, each with how long it took and what it did. */
export function Runs(props: Props) {
  return (
    <CardList columns={5}>
      <Read {...props} />
    </CardList>
  )
}

async function Read({ ctx, syncId, query, address }: Props) {
  const [t, tRuns, { history, meta }] = await Promise.all([
    getTranslations('provider-sync'),
    getTranslations('runs'),
    readList(address, (place) => listProviderSyncHistory(ctx, { params: { syncId }, query: { ...query, ...place } })),
  ])
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      rows={history}
      caption={t('historyCaption')}
      filters={[{ kind: 'yesNo', name: 'dry', label: t('trial') }]}
      empty={{ title: t('noRunTitle'), text: t('noRunHistory') }}
      columns={[
        {
          title: true,
          by: 'date',
          first: 'desc',
          label: t('begun'),
          cell: ({ date, trigger, starter, dry }) => (
            <span className="grid">
              <DateTime value={date} />
              <span className="font-normal text-ink-second text-note">
                {dry ? t('trial') : trigger === 'manual' && starter ? starter : t(`triggers.${trigger}`)}
              </span>
            </span>
          ),
        },
        {
          label: t('outcome'),
          cell: ({ state }) => <Pill tone={tones[state]}>{tRuns(`states.${state}`)}</Pill>,
        },
        { label: t('length'), className: 'tabular-nums', cell: ({ worked }) => <RunLength seconds={worked} /> },
        {
          label: t('did'),
          whole: true,
          priority: 2,
          cell: ({ counts, failed }) => t('counts', { ...counts, failed }),
        },
        { label: t('people'), align: 'right', className: 'tabular-nums', cell: ({ read }) => read },
      ]}
      menu={({ id, date }) => <RunRowMenu id={id} date={date} path={address.path} />}
    />
  )
}
