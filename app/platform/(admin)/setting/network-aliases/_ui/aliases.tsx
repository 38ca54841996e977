import { getTranslations } from 'next-intl/server'
import { changedColumn, Noted } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { MonoList } from '@/components/ui/mono-list'
import { Pills } from '@/components/ui/pills'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type * as calls from '@/lib/network/network-aliases/contract'
import { listNetworkAliases } from '@/lib/network/network-aliases/service'
import { readList } from '@/lib/request/list-page'
import { AliasRowMenu, CreateAlias } from './alias-parts'

const tones = { reverseProxy: 'info', whitelist: 'ok', blacklist: 'danger' } as const

type Props = ServiceInput<typeof calls.listNetworkAliases> & { ctx: Ctx; address: ListAddress; mayWrite: boolean }

/** The list with its search, filters and pager. */
export async function Aliases({ ctx, query, address, mayWrite }: Props) {
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
