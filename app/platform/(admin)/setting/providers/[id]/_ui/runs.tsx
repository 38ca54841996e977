import { getTranslations } from 'next-intl/server'
import { runColumns } from '@/components/batch-job/run-columns'
import { RunPill } from '@/components/batch-job/run-pill'
import { CardList } from '@/components/card/card-list'
import { ListTable } from '@/components/list/list-table'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type { listProviderSyncHistory as list } from '@/lib/directory-sync/provider-sync/contract'
import { listProviderSyncHistory } from '@/lib/directory-sync/provider-sync/service'
import type { Provider } from '@/lib/directory-sync/providers/contract'
import { readList } from '@/lib/request/list-page'
import { StartSync } from './card-parts'
import { RunRowMenu } from './run-parts'

type Props = Pick<ServiceInput<typeof list>, 'query'> & {
  ctx: Ctx
  provider: Provider
  syncId: string
  address: ListAddress
  mayWrite: boolean
}

/** The fourth tab: the batch jobs, the newest first, each with its length and its result. */
export function Runs(props: Props) {
  return (
    <CardList columns={5}>
      <Read {...props} />
    </CardList>
  )
}

async function Read({ ctx, provider, syncId, query, address, mayWrite }: Props) {
  const [t, _tRuns, { history, meta }] = await Promise.all([
    getTranslations('provider-sync'),
    getTranslations('runs'),
    readList(address, (place) => listProviderSyncHistory(ctx, { params: { syncId }, query: { ...query, ...place } })),
  ])
  const shared = runColumns<(typeof history)[number]>(
    { begun: t('begun'), length: t('length') },
    ({ dry, trigger, starter }) =>
      dry ? t('trial') : trigger === 'manual' && starter ? starter : t(`triggers.${trigger}`),
  )
  const start = mayWrite ? <StartSync provider={provider} /> : null
  return (
    <>
      {history.length > 0 ? start : null}
      <ListTable
        address={address}
        query={query}
        meta={meta}
        rows={history}
        caption={t('historyCaption')}
        filters={[{ kind: 'yesNo', name: 'dry', label: t('trial') }]}
        empty={{ title: t('noRunTitle'), text: t('noRunHistory'), action: start }}
        columns={[
          shared.begun,
          {
            label: t('outcome'),
            cell: (run) => <RunPill run={run} />,
          },
          shared.length,
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
    </>
  )
}
