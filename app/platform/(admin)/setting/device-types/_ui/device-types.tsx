import { getTranslations } from 'next-intl/server'
import { ListRows } from '@/components/list/list-rows'
import { ListToolbar } from '@/components/list/list-toolbar'
import { Cell, Header, MenuCell, MenuHeader, Row, SortHeader, Table, TitleCell } from '@/components/list/table'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { ListAddress } from '@/lib/kernel/list-address'
import type { DeviceType, listDeviceTypes } from '@/lib/platform/device-types/contract'
import { deviceTypeList } from '@/lib/platform/device-types/service'
import { CreateDeviceType } from './device-type-form'
import { DeviceTypeMenu } from './device-type-menu'

type Props = VerbInput<typeof listDeviceTypes> & { ctx: Ctx; address: ListAddress; mayWrite: boolean }

/** The list with its tools. */
export async function DeviceTypes({ ctx, query, address, mayWrite }: Props) {
  const [t, { devicesTypes, meta }] = await Promise.all([
    getTranslations('device-types'),
    deviceTypeList(ctx, { query }),
  ])
  const sorting = { query, address }
  const nameOf = ({ name, nameEn }: DeviceType) => (ctx.locale === 'en' && nameEn ? nameEn : name)
  return (
    <>
      <ListToolbar
        {...sorting}
        meta={meta}
        search={t('search')}
        sorts={[
          { by: 'name', label: t('name') },
          { by: 'code', label: t('code') },
          { by: 'updatedAt', label: t('changed') },
        ]}
      />
      <ListRows
        address={address}
        meta={meta}
        count={devicesTypes.length}
        empty={{ action: mayWrite ? <CreateDeviceType /> : null }}
      >
        <Table
          caption={t('caption')}
          head={
            <>
              <SortHeader by="name" {...sorting}>
                {t('name')}
              </SortHeader>
              <SortHeader by="code" {...sorting}>
                {t('code')}
              </SortHeader>
              <Header>{t('domains')}</Header>
              <SortHeader by="updatedAt" first="desc" {...sorting}>
                {t('changed')}
              </SortHeader>
              {mayWrite ? <MenuHeader /> : null}
            </>
          }
        >
          {devicesTypes.map((type) => (
            <Row key={type.id}>
              <TitleCell>
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  {nameOf(type)}
                  {type.immutable ? <Pill tone="info">{t('shipped')}</Pill> : null}
                </span>
              </TitleCell>
              <Cell label={t('code')}>
                <Mono>{type.code}</Mono>
              </Cell>
              <Cell label={t('domains')} className={type.domainsCount > 0 ? 'tabular-nums' : 'text-ink-second'}>
                {type.domainsCount > 0 ? t('inDomains', { count: type.domainsCount }) : t('noDomains')}
              </Cell>
              <Cell label={t('changed')} className="text-ink-second">
                <DateTime value={type.updatedAt} />
              </Cell>
              {mayWrite ? (
                <MenuCell>
                  <DeviceTypeMenu type={type} name={nameOf(type)} />
                </MenuCell>
              ) : null}
            </Row>
          ))}
        </Table>
      </ListRows>
    </>
  )
}
