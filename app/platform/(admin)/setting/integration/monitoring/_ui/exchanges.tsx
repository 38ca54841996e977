import { getFormatter, getTranslations } from 'next-intl/server'
import { Noted } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { AddressText } from '@/components/ui/address-text'
import { DateTime } from '@/components/ui/date-time'
import { Pill } from '@/components/ui/pill'
import { holdsMethod } from '@/lib/base/context/access'
import { errorWords } from '@/lib/base/i18n/error-words'
import type { Exchange, ExchangeInput } from '@/lib/exchanges/exchange-journal/contract'
import { exchangeStatuses } from '@/lib/exchanges/exchange-journal/contract'
import { areaOf, integrationKeys } from '@/lib/exchanges/exchange-journal/keys'
import { listExchanges } from '@/lib/exchanges/exchange-journal/service'
import { type ListContext, readList } from '@/lib/request/list-page'
import { ExchangeMessages } from './exchange-parts'

/** Faults whose texts elsewhere refer to the journal; here they need texts of their own. */
const journalFaults = ['integrationAnswer', 'integrationFormat'] as const
const isFault = (fault: string): fault is (typeof journalFaults)[number] =>
  (journalFaults as readonly string[]).includes(fault)

const tones = { wait: 'info', success: 'ok', error: 'danger' } as const

type Props = { query: ExchangeInput } & ListContext

/** The journal with its filters: the last changed request first. */
export async function Exchanges({ ctx, query, address, chosenColumns }: Props) {
  const [t, tSync, words, format, { monitoring, meta }] = await Promise.all([
    getTranslations('integration-journal'),
    getTranslations('integration'),
    errorWords(ctx.locale, 'integration'),
    getFormatter(),
    readList(address, (place) => listExchanges(ctx, { query: { ...query, ...place } })),
  ])
  const nameOf = ({ key, createdAt }: Exchange) => {
    const date = format.dateTime(new Date(createdAt), { dateStyle: 'long', timeStyle: 'medium' })
    return t('rowOf', { key: tSync(`keys.${key}`), date })
  }
  const outcome = ({ status, fault }: Exchange) => (
    <span className="grid justify-items-start gap-0.5">
      <Pill tone={tones[status]}>{t(`statuses.${status}`)}</Pill>
      {fault ? (
        <span className="text-ink-second text-note">{isFault(fault) ? t(`faults.${fault}`) : words(fault, {})}</span>
      ) : null}
    </span>
  )
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      chosenColumns={chosenColumns}
      rows={monitoring}
      caption={t('caption')}
      filters={[
        {
          kind: 'many',
          name: 'key',
          label: t('key'),
          options: integrationKeys.map((value) => ({ value, label: tSync(`keys.${value}`) })),
        },
        {
          kind: 'many',
          name: 'status',
          label: t('status'),
          options: exchangeStatuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
        },
        { kind: 'dates', name: 'created', label: t('created'), from: 'createdFrom', to: 'createdTo' },
        { kind: 'dates', name: 'updated', label: t('updated'), from: 'updatedFrom', to: 'updatedTo' },
        { kind: 'text', name: 'runId', label: t('run') },
      ]}
      empty={{ title: t('emptyTitle'), text: t('emptyText') }}
      columns={[
        { title: true, label: t('key'), cell: ({ key }) => tSync(`keys.${key}`) },
        { name: 'status', label: t('status'), whole: true, cell: outcome },
        {
          name: 'exchange',
          label: t('exchange'),
          whole: true,
          priority: 2,
          cell: ({ method, url, httpStatus }) => (
            <Noted note={`${method} · ${httpStatus === null ? t('noAnswer') : `HTTP ${httpStatus}`}`}>
              <span className="wrap-anywhere font-mono text-note">
                <AddressText>{url}</AddressText>
              </span>
            </Noted>
          ),
        },
        {
          name: 'duration',
          label: t('duration'),
          align: 'right',
          priority: 3,
          className: 'tabular-nums',
          cell: ({ duration }) => (duration === null ? '—' : t('milliseconds', { value: duration })),
        },
        {
          name: 'createdAt',
          by: 'createdAt',
          first: 'desc',
          label: t('created'),
          // usually the moment of the change
          hidden: true,
          priority: 3,
          cell: ({ createdAt }) => <DateTime value={createdAt} />,
        },
        {
          by: 'updatedAt',
          first: 'desc',
          label: t('updated'),
          cell: ({ updatedAt }) => <DateTime value={updatedAt} />,
        },
        {
          label: t('messages'),
          whole: true,
          cell: (exchange) =>
            // a message has the texts that the area's own pages show
            holdsMethod(ctx, `${areaOf[exchange.key]}.read`) ? (
              <ExchangeMessages exchange={exchange} name={nameOf(exchange)} />
            ) : null,
        },
      ]}
    />
  )
}
