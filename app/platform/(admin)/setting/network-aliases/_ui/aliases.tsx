import { getTranslations } from 'next-intl/server'
import { ListRows } from '@/components/list/list-rows'
import { ListToolbar } from '@/components/list/list-toolbar'
import { Cell, Header, MenuCell, MenuHeader, Row, SortHeader, Table, TitleCell } from '@/components/list/table'
import { DateTime } from '@/components/ui/date-time'
import { MonoList } from '@/components/ui/mono-list'
import { Pill } from '@/components/ui/pill'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { ListAddress } from '@/lib/kernel/list-address'
import type { listNetworkAliases } from '@/lib/platform/network-aliases/contract'
import { networkAliases } from '@/lib/platform/network-aliases/service'
import { CreateAlias } from './alias-form'
import { AliasMenu } from './alias-menu'

const tones = { reverseProxy: 'info', whitelist: 'ok', blacklist: 'danger' } as const

type Props = VerbInput<typeof listNetworkAliases> & { ctx: Ctx; address: ListAddress; mayWrite: boolean }

/** The list with its tools. */
export async function Aliases({ ctx, query, address, mayWrite }: Props) {
  const [t, { networks, meta }] = await Promise.all([
    getTranslations('network-aliases'),
    networkAliases(ctx, { query }),
  ])
  const sorting = { query, address }
  return (
    <>
      <ListToolbar
        {...sorting}
        meta={meta}
        search={t('search')}
        sorts={[
          { by: 'name', label: t('name') },
          { by: 'updatedAt', label: t('changed') },
        ]}
        filters={[
          { kind: 'yesNo', name: 'used', label: t('used') },
          { kind: 'text', name: 'ip', label: t('subnet'), hint: '10.0.0.0/8' },
        ]}
      />
      <ListRows
        address={address}
        meta={meta}
        count={networks.length}
        empty={{ title: t('emptyTitle'), text: t('emptyText'), action: mayWrite ? <CreateAlias /> : null }}
      >
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
                <MonoList values={alias.ips.map(({ ip }) => ip)} />
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
      </ListRows>
    </>
  )
}
