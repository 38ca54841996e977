import { getTranslations } from 'next-intl/server'
import { changedColumn, Noted, RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { AddressText } from '@/components/ui/address-text'
import { DateTime } from '@/components/ui/date-time'
import { cardPath } from '@/lib/base/navigation/screens'
import type { IntegrationSyncQuery } from '@/lib/exchanges/exchanges/contract'
import { listIntegrationSyncs } from '@/lib/exchanges/exchanges/service'
import { type ListOf, readList } from '@/lib/request/list-page'
import { ExchangePill } from './exchange-pill'
import { SyncRowMenu } from './sync-parts'

/** The list: each exchange with its state, its last batch job and its schedule. */
export async function Syncs({ ctx, query, address, mayWrite, chosenColumns }: ListOf<typeof IntegrationSyncQuery>) {
  const [t, { synchronizations, meta }] = await Promise.all([
    getTranslations('integration'),
    readList(address, (place) => listIntegrationSyncs(ctx, { query: { ...query, ...place } })),
  ])
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      chosenColumns={chosenColumns}
      rows={synchronizations}
      caption={t('caption')}
      filters={[{ kind: 'yesNo', name: 'enabled', label: t('enabled') }]}
      empty={{ title: t('emptyTitle'), text: t('emptyText') }}
      columns={[
        {
          title: true,
          by: 'key',
          label: t('key'),
          cell: ({ id, key, url }) => (
            <Noted note={url ? <AddressText>{url}</AddressText> : t('noAddress')}>
              <RowLink href={cardPath('PlatformIntegrationSync', id)}>{t(`keys.${key}`)}</RowLink>
            </Noted>
          ),
        },
        {
          name: 'state',
          label: t('state'),
          cell: ({ details }) => <ExchangePill details={details} />,
        },
        {
          name: 'last',
          label: t('last'),
          whole: true,
          cell: ({ details: { createdAt, success, error } }) =>
            createdAt ? (
              <span className="grid">
                <DateTime value={createdAt} />
                <span className="text-ink-second text-note">{t('counts', { done: success, failed: error })}</span>
              </span>
            ) : (
              <span className="text-ink-second">{t('neverRun')}</span>
            ),
        },
        {
          name: 'period',
          label: t('schedule'),
          priority: 2,
          cell: ({ periodUnit, periodAmount, details: { nextAt } }) => (
            <span className="grid">
              {periodUnit === 0 ? t('noPeriod') : t(`every.${periodAmount}`, { count: periodUnit })}
              {nextAt ? (
                <span className="text-ink-second text-note">
                  <DateTime value={nextAt} />
                </span>
              ) : null}
            </span>
          ),
        },
        changedColumn(t('changed'), 3),
      ]}
      menu={(sync) => (
        <SyncRowMenu
          sync={sync}
          name={t(`keys.${sync.key}`)}
          href={cardPath('PlatformIntegrationSync', sync.id)}
          mayWrite={mayWrite}
        />
      )}
    />
  )
}
