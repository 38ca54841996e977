import { getTranslations } from 'next-intl/server'
import { changedColumn, Noted } from '@/components/list/columns'
import { ListPage } from '@/components/list/list-page'
import { ListTable } from '@/components/list/list-table'
import { MonoList } from '@/components/ui/mono-list'
import { Pills } from '@/components/ui/pills'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { NetworkAliasQuery } from '@/lib/network/network-aliases/contract'
import { listNetworkAliases } from '@/lib/network/network-aliases/service'
import { type ListOf, listPageContext, readList } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { AliasRowMenu, CreateAlias } from './_ui/alias-parts'

export const generateMetadata = () => screenTitle('PlatformNetworkAliases')

/** The network aliases: named groups of addresses. */
export default async function NetworkAliasesPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformNetworkAliases', NetworkAliasQuery, searchParams)
  return (
    <ListPage name={list.name} texts="network-aliases" action={list.mayWrite ? <CreateAlias /> : null} columns={4}>
      <Aliases {...list} />
    </ListPage>
  )
}

const tones = { reverseProxy: 'info', whitelist: 'ok', blacklist: 'danger' } as const

async function Aliases({ ctx, query, address, mayWrite }: ListOf<typeof NetworkAliasQuery>) {
  const [t, { networks, meta }] = await Promise.all([
    getTranslations('network-aliases'),
    readList(address, (place) => listNetworkAliases(ctx, { query: { ...query, ...place } })),
  ])
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      rows={networks}
      caption={t('caption')}
      search={t('search')}
      filters={[
        { kind: 'yesNo', name: 'used', label: t('used') },
        { kind: 'text', name: 'ip', label: t('subnet'), hint: '10.0.0.0/8' },
      ]}
      empty={{ title: t('emptyTitle'), text: t('emptyText'), action: mayWrite ? <CreateAlias /> : null }}
      columns={[
        {
          title: true,
          by: 'name',
          label: t('name'),
          cell: ({ name, comment }) => <Noted note={comment}>{name}</Noted>,
        },
        { label: t('addresses'), whole: true, cell: ({ ips }) => <MonoList values={ips.map(({ ip }) => ip)} /> },
        {
          label: t('usedIn'),
          cell: ({ usedIn }) => (
            <Pills
              of={usedIn.map(({ place }) => ({ tone: tones[place], text: t(`places.${place}`) }))}
              none={t('notUsed')}
            />
          ),
        },
        changedColumn(t('changed')),
      ]}
      menu={(alias) => <AliasRowMenu alias={alias} name={alias.name} mayWrite={mayWrite} />}
    />
  )
}
