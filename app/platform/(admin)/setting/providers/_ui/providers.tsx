import { getTranslations } from 'next-intl/server'
import { changedColumn, EnabledPill, Noted, RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { cardPath } from '@/lib/base/navigation/screens'
import type { Provider, ProviderQuery } from '@/lib/directory-sync/providers/contract'
import { listProviders } from '@/lib/directory-sync/providers/service'
import { providerTypes } from '@/lib/identity-providers/connections/kinds'
import { type ListOf, readList } from '@/lib/request/list-page'
import { CreateProvider, ProviderRowMenu } from './provider-parts'
import { ProviderSyncPill } from './provider-sync-pill'

/** The list with its tools. */
export async function Providers({ ctx, query, address, mayWrite, chosenColumns }: ListOf<typeof ProviderQuery>) {
  const [t, { providers, meta }] = await Promise.all([
    getTranslations('providers'),
    readList(address, (place) => listProviders(ctx, { query: { ...query, ...place } })),
  ])
  const statusOf = ({ type, sync: [sync] }: Provider) => {
    if (!sync || type === 'oidc') return <span className="text-ink-second">{t('noSync')}</span>
    const { status, nextAt } = sync.details
    return (
      <span className="grid gap-0.5">
        <span>
          <ProviderSyncPill details={sync.details} />
        </span>
        {nextAt && status !== 'await' ? (
          <span className="text-ink-second text-note">
            {t('nextShort')} <DateTime value={nextAt} />
          </span>
        ) : null}
      </span>
    )
  }
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      chosenColumns={chosenColumns}
      rows={providers}
      caption={t('caption')}
      search={t('search')}
      filters={[
        {
          kind: 'many',
          name: 'type',
          label: t('type'),
          options: providerTypes.map((value) => ({ value, label: t(`types.${value}`) })),
        },
        { kind: 'yesNo', name: 'enabled', label: t('enabled') },
      ]}
      empty={{ title: t('emptyTitle'), text: t('emptyText'), action: mayWrite ? <CreateProvider /> : null }}
      columns={[
        {
          title: true,
          by: 'name',
          label: t('name'),
          cell: ({ id, name, url, realm }) => (
            <Noted note={realm ? `${url} · ${realm}` : url}>
              <RowLink href={cardPath('PlatformProvider', id)}>{name}</RowLink>
            </Noted>
          ),
        },
        { name: 'type', by: 'type', label: t('type'), priority: 2, cell: ({ type }) => t(`types.${type}`) },
        {
          name: 'enabled',
          label: t('state'),
          cell: ({ enabled }) => <EnabledPill enabled={enabled} on={t('on')} off={t('off')} />,
        },
        { name: 'sync', label: t('sync'), whole: true, cell: statusOf },
        {
          name: 'people',
          label: t('people'),
          align: 'right',
          priority: 2,
          className: 'tabular-nums',
          cell: ({ people }) => people,
        },
        changedColumn(t('changed'), 3),
      ]}
      menu={(provider) => (
        <ProviderRowMenu
          provider={provider}
          name={provider.name}
          href={cardPath('PlatformProvider', provider.id)}
          mayWrite={mayWrite}
        />
      )}
    />
  )
}
