import { getTranslations } from 'next-intl/server'
import { runColumns } from '@/components/batch-job/run-columns'
import { RunPill } from '@/components/batch-job/run-pill'
import { CardList } from '@/components/card/card-list'
import { ListTable } from '@/components/list/list-table'
import { cn } from '@/components/ui/cn'
import { TextLink, textLinkClasses } from '@/components/ui/text-link'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { callAddress } from '@/lib/base/http/client'
import { errorWords } from '@/lib/base/i18n/error-words'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type { listIntegrationRuns as list } from '@/lib/exchanges/exchanges/contract'
import { listIntegrationRuns } from '@/lib/exchanges/exchanges/runs'
import { readList } from '@/lib/request/list-page'

type Props = Pick<ServiceInput<typeof list>, 'query'> & { ctx: Ctx; id: string; address: ListAddress }

const faultsOfRun = '/setting/integration-synchronization/runs/{id}/faults'
const journal = '/platform/setting/integration/monitoring'

/** The second tab: the batch jobs, the newest first, each with its end and its result. */
export function Runs(props: Props) {
  return (
    <CardList columns={5}>
      <Read {...props} />
    </CardList>
  )
}

async function Read({ ctx, id, query, address }: Props) {
  const [t, _tRuns, words, { runs, meta }] = await Promise.all([
    getTranslations('integration'),
    getTranslations('runs'),
    errorWords(ctx.locale, 'integration'),
    readList(address, (place) => listIntegrationRuns(ctx, { params: { id }, query: { ...query, ...place } })),
  ])
  const shared = runColumns<(typeof runs)[number]>(
    { begun: t('begun'), length: t('length') },
    ({ starter, trigger }) => starter ?? t(`triggers.${trigger}`),
  )
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      rows={runs}
      caption={t('runsCaption')}
      filters={[]}
      empty={{ title: t('noRunTitle'), text: t('noRunHistory') }}
      columns={[
        shared.begun,
        {
          label: t('outcome'),
          whole: true,
          cell: ({ state, failed, fault }) => (
            <span className="grid justify-items-start gap-0.5">
              <RunPill run={{ state, failed }} />
              {fault ? <span className="text-ink-second text-note">{words(fault, {})}</span> : null}
            </span>
          ),
        },
        { ...shared.length, priority: 2 },
        {
          label: t('did'),
          whole: true,
          cell: ({ id: runId, done, failed }) => (
            <span className="grid justify-items-start">
              {t('counts', { done, failed })}
              {failed > 0 ? (
                // the file may have as many rows as the batch job: the browser writes them to the disk as they arrive
                <a
                  href={callAddress(faultsOfRun, { params: { id: runId } })}
                  download
                  className={cn(textLinkClasses, 'text-note')}
                >
                  {t('runFaults')}
                </a>
              ) : null}
            </span>
          ),
        },
        {
          label: t('pages'),
          align: 'right',
          priority: 2,
          className: 'tabular-nums',
          cell: ({ id: runId, pages }) => (
            <TextLink href={`${journal}?filter[runId]=${runId}`}>{String(pages)}</TextLink>
          ),
        },
      ]}
    />
  )
}
