import { getTranslations } from 'next-intl/server'
import { changedColumn, RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import { localName } from '@/lib/base/i18n/local-name'
import { cardPath } from '@/lib/base/navigation/screens'
import type * as calls from '@/lib/companies/contractors/contract'
import { listContractors, searchContractors } from '@/lib/companies/contractors/service'
import { searchOrganizations } from '@/lib/companies/organizations/service'
import { type ListOf, readList } from '@/lib/request/list-page'
import { ContractorRowMenu, CreateContractor } from './contractor-parts'

/** The list with its tools. */
export async function Contractors({
  ctx,
  query,
  address,
  mayWrite,
  chosenColumns,
}: ListOf<typeof calls.ContractorQuery>) {
  const { organizationId, similarTo } = query.filter
  const [t, tr, organizations, likes, { contractors, meta }] = await Promise.all([
    getTranslations('contractors'),
    getTranslations('requisites'),
    organizationId ? searchOrganizations(ctx, { query: { ids: [organizationId] } }) : null,
    similarTo ? searchContractors(ctx, { query: { ids: [similarTo] } }) : null,
    readList(address, (place) => listContractors(ctx, { query: { ...query, ...place } })),
  ])
  const organization = organizations?.organizations.map((row) => ({ value: row.id, label: localName(row, ctx.locale) }))
  const like = likes?.contractors.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      chosenColumns={chosenColumns}
      rows={contractors}
      caption={t('caption')}
      search={t('search')}
      filters={[
        { kind: 'yesNo', name: 'enabled', label: t('enabled') },
        {
          kind: 'remote',
          name: 'organizationId',
          label: t('organization'),
          of: 'organizations',
          chosen: organization ?? [],
        },
        { kind: 'yesNo', name: 'people', label: t('withPeople') },
        { kind: 'remote', name: 'similarTo', label: t('similarFilter'), of: 'contractors', chosen: like ?? [] },
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
              <RowLink href={cardPath('PlatformContractor', id)}>{name}</RowLink>
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
        changedColumn(t('changed'), 3),
      ]}
      menu={(contractor) => (
        <ContractorRowMenu
          contractor={contractor}
          name={contractor.name}
          href={cardPath('PlatformContractor', contractor.id)}
          mayWrite={mayWrite}
        />
      )}
    />
  )
}
