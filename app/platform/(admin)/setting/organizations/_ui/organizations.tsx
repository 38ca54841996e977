import { getTranslations } from 'next-intl/server'
import { changedColumn, enabledColumn, RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { Mono } from '@/components/ui/mono'
import { shownCount } from '@/components/ui/shown-count'
import { localName } from '@/lib/base/i18n/local-name'
import type { Counted } from '@/lib/base/lists/lists'
import { cardPath } from '@/lib/base/navigation/screens'
import type * as calls from '@/lib/companies/organizations/contract'
import { listOrganizations } from '@/lib/companies/organizations/service'
import { type ListOf, readList } from '@/lib/request/list-page'
import { CreateOrganization, OrganizationRowMenu } from './organization-parts'

/** The list with its tools. */
export async function Organizations({
  ctx,
  query,
  address,
  mayWrite,
  chosenColumns,
}: ListOf<typeof calls.OrganizationQuery>) {
  const [t, tr, { organizations, meta }] = await Promise.all([
    getTranslations('organizations'),
    getTranslations('requisites'),
    readList(address, (place) => listOrganizations(ctx, { query: { ...query, ...place } })),
  ])
  const cardOf = (id: string) => cardPath('PlatformOrganization', id)
  const amount = (counted: Counted) => t('amount', shownCount(counted))
  const quiet = ({ count }: Counted) => (count > 0 ? '' : 'text-ink-second')
  return (
    <ListTable
      cursor
      address={address}
      query={query}
      meta={meta}
      chosenColumns={chosenColumns}
      rows={organizations}
      caption={t('caption')}
      search={t('search')}
      filters={[
        {
          kind: 'choice',
          name: 'enabled',
          label: t('state'),
          options: [
            { value: 'true', label: t('enabledMany') },
            { value: 'false', label: t('disabledMany') },
          ],
        },
      ]}
      empty={{ title: t('emptyTitle'), text: t('emptyText'), action: mayWrite ? <CreateOrganization /> : null }}
      columns={[
        {
          title: true,
          by: 'name',
          label: t('name'),
          cell: (row) => <RowLink href={cardOf(row.id)}>{localName(row, ctx.locale)}</RowLink>,
        },
        { name: 'code', by: 'code', label: t('code'), cell: ({ code }) => (code ? <Mono>{code}</Mono> : t('none')) },
        {
          name: 'inn',
          label: tr('inn'),
          priority: 3,
          cell: ({ inn }) => (inn ? <span className="tabular-nums">{inn}</span> : t('none')),
        },
        {
          name: 'people',
          label: t('people'),
          align: 'right',
          className: ({ people }) => quiet(people),
          cell: ({ people }) => amount(people),
        },
        {
          name: 'contractors',
          label: t('contractors'),
          align: 'right',
          priority: 2,
          className: ({ contractors }) => quiet(contractors),
          cell: ({ contractors }) => amount(contractors),
        },
        enabledColumn(t('state'), t('on'), t('off')),
        ...(['kpp', 'ogrn', 'okpo', 'externalCode'] as const).map((name) => ({
          name,
          hidden: true as const,
          label: tr(name),
          cell: (row: calls.Organization) => (row[name] ? <Mono>{row[name]}</Mono> : null),
        })),
        changedColumn(t('changed'), 3),
      ]}
      menu={(row) => (
        <OrganizationRowMenu
          organization={row}
          name={localName(row, ctx.locale)}
          href={cardOf(row.id)}
          mayWrite={mayWrite}
        />
      )}
    />
  )
}
