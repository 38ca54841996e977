import { getTranslations } from 'next-intl/server'
import { changedColumn } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { localName } from '@/lib/base/i18n/local-name'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { readList } from '@/lib/request/list-page'
import type * as calls from '@/lib/site/device-types/contract'
import { listDeviceTypes } from '@/lib/site/device-types/service'
import { CreateDeviceType, DeviceTypeRowMenu } from './device-type-parts'

type Props = ServiceInput<typeof calls.listDeviceTypes> & { ctx: Ctx; address: ListAddress; mayWrite: boolean }

/** The list with its search, filters and pager. */
export async function DeviceTypes({ ctx, query, address, mayWrite }: Props) {
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
        {
          label: t('domains'),
          className: ({ domainsCount }) => (domainsCount > 0 ? 'tabular-nums' : 'text-ink-second'),
          cell: ({ domainsCount: count }) => (count > 0 ? t('inDomains', { count }) : t('noDomains')),
        },
        changedColumn(t('changed')),
      ]}
      menu={mayWrite ? (type) => <DeviceTypeRowMenu type={type} name={localName(type, ctx.locale)} /> : undefined}
    />
  )
}
