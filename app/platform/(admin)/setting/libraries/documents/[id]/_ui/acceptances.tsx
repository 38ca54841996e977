import { getTranslations } from 'next-intl/server'
import { CardList } from '@/components/card/card-list'
import { RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import { cardPath } from '@/lib/base/navigation/screens'
import { AcceptanceQuery, acceptanceStates } from '@/lib/documents/document-campaigns/contract'
import { listAcceptances } from '@/lib/documents/document-campaigns/service'
import type { DocumentCard } from '@/lib/documents/documents/contract'
import type { CardContext } from '@/lib/request/card-page'
import { readList } from '@/lib/request/list-page'

type Props = { card: CardContext; document: DocumentCard }
const tones = { accepted: 'ok', refused: 'danger', outstanding: 'warning', earlier: 'neutral' } as const

/** Who agreed to an agreement, who refused it, and who is still asked. */
export function Acceptances(props: Props) {
  return (
    <CardList columns={5}>
      <Read {...props} />
    </CardList>
  )
}

async function Read({ card: { ctx, id, list }, document }: Props) {
  const { query, address } = list(AcceptanceQuery)
  const [t, { acceptances, meta }] = await Promise.all([
    getTranslations('document-campaigns'),
    readList(address, (place) => listAcceptances(ctx, { params: { id }, query: { ...query, ...place } })),
  ])
  const versions = Array.from({ length: Math.min(document.version, 50) }, (_, index) =>
    String(document.version - index),
  )
  return (
    <ListTable
      cursor
      address={address}
      query={query}
      meta={meta}
      rows={acceptances}
      exports={`/setting/documents/${id}/acceptances/export`}
      caption={t('caption')}
      search={t('search')}
      filters={[
        {
          kind: 'choice',
          name: 'state',
          label: t('state'),
          options: acceptanceStates.map((value) => ({ value, label: t(`states.${value}`) })),
        },
        {
          kind: 'choice',
          name: 'version',
          label: t('version'),
          options: versions.map((value) => ({ value, label: t('versionNumber', { version: Number(value) }) })),
        },
        { kind: 'dates', name: 'date', label: t('date'), from: 'dateFrom', to: 'dateTo' },
      ]}
      empty={{ title: t('emptyTitle'), text: t('emptyText') }}
      columns={[
        {
          title: true,
          by: 'name',
          label: t('person'),
          cell: (person) => (
            <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
              <RowLink href={cardPath('PlatformUser', person.id)}>{person.name || person.login}</RowLink>
              {person.enabled ? null : <Pill>{t('disabled')}</Pill>}
              <span className="wrap-anywhere w-full font-normal text-ink-second text-note">
                {person.email ?? person.login}
              </span>
            </span>
          ),
        },
        {
          label: t('state'),
          cell: ({ state, remindedAt }) => (
            <span className="grid justify-items-start gap-1">
              <Pill tone={tones[state]}>{t(`states.${state}`)}</Pill>
              {state === 'outstanding' && remindedAt ? (
                <span className="text-ink-second text-note">
                  {t.rich('remindedOn', { date: () => <DateTime value={remindedAt} /> })}
                </span>
              ) : null}
            </span>
          ),
        },
        {
          label: t('version'),
          className: 'tabular-nums',
          cell: ({ version }) => version ?? <span className="text-ink-second">{t('none')}</span>,
        },
        {
          label: t('ip'),
          priority: 2,
          cell: ({ ip }) => (ip ? <Mono>{ip}</Mono> : <span className="text-ink-second">{t('none')}</span>),
        },
        {
          by: 'date',
          first: 'desc',
          label: t('date'),
          cell: ({ date }) => (date ? <DateTime value={date} /> : <span className="text-ink-second">{t('none')}</span>),
        },
      ]}
    />
  )
}
