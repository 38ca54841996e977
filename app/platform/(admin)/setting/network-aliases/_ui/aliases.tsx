import { getTranslations } from 'next-intl/server'
import { ListEmpty } from '@/components/list/list-empty'
import { ListFilters } from '@/components/list/list-filters'
import { isFiltered } from '@/components/list/list-link'
import { ListSearch } from '@/components/list/list-search'
import { ListTools } from '@/components/list/list-tools'
import { Pager } from '@/components/list/pager'
import { SortMenu } from '@/components/list/sort-menu'
import { Cell, Header, MenuCell, MenuHeader, Row, SortHeader, Table, TitleCell } from '@/components/list/table'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { ListAddress } from '@/lib/kernel/list-address'
import type { listNetworkAliases } from '@/lib/platform/network-aliases/contract'
import { networkAliases } from '@/lib/platform/network-aliases/service'
import { AliasMenu } from './alias-menu'
import { CreateAlias } from './create-alias'

const tones = { reverseProxy: 'info', whitelist: 'ok', blacklist: 'danger' } as const

/** So many addresses stand in a row; the rest is a number. */
const shown = 2

type Props = VerbInput<typeof listNetworkAliases> & { ctx: Ctx; address: ListAddress; mayWrite: boolean }

/** The list with its tools. */
export async function Aliases({ ctx, query, address, mayWrite }: Props) {
  const [t, tList, { networks, meta }] = await Promise.all([
    getTranslations('network-aliases'),
    getTranslations('ui.list'),
    networkAliases(ctx, { query }),
  ])
  const sorting = { query, address }
  return (
    <>
      <ListTools count={tList(isFiltered(address) ? 'found' : 'total', { count: meta.total })}>
        <ListSearch address={address} label={t('search')} />
        <SortMenu
          {...sorting}
          sorts={[
            { by: 'name', label: t('name') },
            { by: 'updatedAt', label: t('changed') },
          ]}
        />
        <ListFilters
          address={address}
          filters={[
            { kind: 'yesNo', name: 'used', label: t('used') },
            { kind: 'text', name: 'ip', label: t('subnet'), hint: '10.0.0.0/8' },
          ]}
        />
      </ListTools>
      {networks.length === 0 ? (
        <ListEmpty
          address={address}
          meta={meta}
          title={t('emptyTitle')}
          text={t('emptyText')}
          action={mayWrite ? <CreateAlias /> : null}
        />
      ) : (
        <Table
          caption={t('caption')}
          head={
            <>
              <SortHeader by="name" {...sorting}>
                {t('name')}
              </SortHeader>
              <Header>{t('addresses')}</Header>
              <Header>{t('usedIn')}</Header>
              <SortHeader by="updatedAt" first="desc" {...sorting}>
                {t('changed')}
              </SortHeader>
              <MenuHeader />
            </>
          }
        >
          {networks.map((alias) => (
            <Row key={alias.id}>
              <TitleCell>
                {alias.name}
                {alias.comment ? (
                  <span className="block truncate font-normal text-ink-second text-note">{alias.comment}</span>
                ) : null}
              </TitleCell>
              <Cell label={t('addresses')}>
                <span className="flex flex-wrap items-center gap-1.5">
                  {alias.ips.slice(0, shown).map(({ ip }) => (
                    <Mono key={ip}>{ip}</Mono>
                  ))}
                  {alias.ips.length > shown ? t('andMore', { count: alias.ips.length - shown }) : null}
                </span>
              </Cell>
              <Cell label={t('usedIn')}>
                <span className="flex flex-wrap gap-1.5">
                  {alias.usedIn.map(({ place }) => (
                    <Pill key={place} tone={tones[place]}>
                      {t(`places.${place}`)}
                    </Pill>
                  ))}
                  {alias.usedIn.length === 0 ? <Pill>{t('notUsed')}</Pill> : null}
                </span>
              </Cell>
              <Cell label={t('changed')} className="text-ink-second">
                <DateTime value={alias.updatedAt} />
              </Cell>
              <MenuCell>
                <AliasMenu alias={alias} mayWrite={mayWrite} />
              </MenuCell>
            </Row>
          ))}
        </Table>
      )}
      <Pager address={address} meta={meta} />
    </>
  )
}
