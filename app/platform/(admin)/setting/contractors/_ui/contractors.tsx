import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import { readList } from '@/lib/context/list-page'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { ListAddress } from '@/lib/kernel/list-address'
import type * as calls from '@/lib/people/contractors/contract'
import { listContractors } from '@/lib/people/contractors/service'
import { ContractorRowMenu, CreateContractor } from './contractor-parts'
import type { OrganizationOption } from './offered'

type Props = VerbInput<typeof calls.listContractors> & {
  ctx: Ctx
  address: ListAddress
  mayWrite: boolean
  organizations: OrganizationOption[]
}

/** The list with its tools. */
export async function Contractors({ ctx, query, address, mayWrite, organizations }: Props) {
  const [t, tr, { contractors, meta }] = await Promise.all([
    getTranslations('contractors'),
    getTranslations('requisites'),
    readList(address, (place) => listContractors(ctx, { query: { ...query, ...place } })),
  ])
  const options = organizations.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      kept={ctx.cookies.get('columns')}
      rows={contractors}
      caption={t('caption')}
      search={t('search')}
      filters={[
        { kind: 'yesNo', name: 'enabled', label: t('enabled') },
        { kind: 'choice', name: 'organizationId', label: t('organization'), options },
        { kind: 'yesNo', name: 'people', label: t('withPeople') },
      ]}
      empty={{
        title: t('emptyTitle'),
        text: t('emptyText'),
        action: mayWrite ? <CreateContractor /> : null,
      }}
      columns={[
        {
          title: true,
          by: 'name',
          label: t('name'),
          cell: ({ id, name, enabled }) => (
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Link
                href={`/platform/setting/contractors/${id}`}
                prefetch={false}
                className="rounded-[2px] underline-offset-4 hover:underline"
              >
                {name}
              </Link>
              {enabled ? null : <Pill>{t('disabled')}</Pill>}
            </span>
          ),
        },
        {
          name: 'inn',
          by: 'inn',
          label: tr('innColumn'),
          cell: ({ inn, kpp }) => (
            <span className="grid justify-items-start">
              {inn ? <span className="tabular-nums">{inn}</span> : null}
              {kpp ? <span className="text-ink-second text-note">{tr('shortKpp', { kpp })}</span> : null}
            </span>
          ),
        },
        {
          name: 'organizations',
          label: t('organizations'),
          whole: true,
          priority: 2,
          cell: ({ availableOrganizations: [first, ...rest] }) =>
            first ? (
              <span>
                {first.name}
                {rest.length > 0 ? <span className="text-ink-second"> +{rest.length}</span> : null}
              </span>
            ) : (
              <span className="text-ink-second">{t('noOrganizations')}</span>
            ),
        },
        { name: 'people', label: t('people'), align: 'right', className: 'tabular-nums', cell: ({ people }) => people },
        {
          name: 'externalCode',
          label: tr('externalCode'),
          priority: 3,
          cell: ({ externalCode }) => (externalCode ? <Mono>{externalCode}</Mono> : null),
        },
        ...(['ogrn', 'okpo', 'registrationNumber', 'taxNumber'] as const).map((name) => ({
          name,
          hidden: true as const,
          label: tr(name),
          cell: (row: calls.Contractor) => (row[name] ? <Mono>{row[name]}</Mono> : null),
        })),
        {
          name: 'changed',
          by: 'updatedAt',
          first: 'desc',
          label: t('changed'),
          priority: 3,
          className: 'text-ink-second',
          cell: ({ updatedAt }) => <DateTime value={updatedAt} />,
        },
      ]}
      menu={(contractor) => <ContractorRowMenu contractor={contractor} mayWrite={mayWrite} />}
    />
  )
}
