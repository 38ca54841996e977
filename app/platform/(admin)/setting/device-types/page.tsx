import { getTranslations } from 'next-intl/server'
import { changedColumn, domainsColumn } from '@/components/list/columns'
import { ListPage } from '@/components/list/list-page'
import { ListTable } from '@/components/list/list-table'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import { localName } from '@/lib/base/i18n/local-name'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { type ListOf, listPageContext, readList } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { DeviceTypeQuery } from '@/lib/site/device-types/contract'
import { listDeviceTypes } from '@/lib/site/device-types/service'
import { CreateDeviceType, DeviceTypeRowMenu } from './_ui/device-type-parts'

export const generateMetadata = () => screenTitle('PlatformDeviceTypes')

/** The device types. Domains decide by them how people may sign in. */
export default async function DeviceTypesPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformDeviceTypes', DeviceTypeQuery, searchParams)
  return (
    <ListPage name={list.name} texts="device-types" action={list.mayWrite ? <CreateDeviceType /> : null} columns={4}>
      <DeviceTypes {...list} />
    </ListPage>
  )
}

async function DeviceTypes({ ctx, query, address, mayWrite }: ListOf<typeof DeviceTypeQuery>) {
  const [t, { devicesTypes, meta }] = await Promise.all([
    getTranslations('device-types'),
    readList(address, (place) => listDeviceTypes(ctx, { query: { ...query, ...place } })),
  ])
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      rows={devicesTypes}
      caption={t('caption')}
      search={t('search')}
      empty={{ action: mayWrite ? <CreateDeviceType /> : null }}
      columns={[
        {
          title: true,
          by: 'name',
          label: t('name'),
          cell: (type) => (
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              {localName(type, ctx.locale)}
              {type.immutable ? <Pill tone="info">{t('shipped')}</Pill> : null}
            </span>
          ),
        },
        { by: 'code', label: t('code'), cell: ({ code }) => <Mono>{code}</Mono> },
        domainsColumn(t('domains'), (count) => (count > 0 ? t('inDomains', { count }) : t('noDomains'))),
        changedColumn(t('changed')),
      ]}
      menu={mayWrite ? (type) => <DeviceTypeRowMenu type={type} name={localName(type, ctx.locale)} /> : undefined}
    />
  )
}
