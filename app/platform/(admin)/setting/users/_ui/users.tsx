import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { BulkBar } from '@/components/bulk/bulk-bar'
import { BulkBox } from '@/components/bulk/bulk-box'
import { RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { AddressText } from '@/components/ui/address-text'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import { searchRoles } from '@/lib/access/roles/manage'
import type * as calls from '@/lib/accounts/administration/contract'
import { listUsers, providerChoices } from '@/lib/accounts/administration/service'
import { localName } from '@/lib/base/i18n/local-name'
import { cardPath } from '@/lib/base/navigation/screens'
import { mobileText } from '@/lib/base/text/mobile'
import { searchContractors } from '@/lib/companies/contractors/service'
import { searchOrganizations } from '@/lib/companies/organizations/service'
import { type ListOf, readList } from '@/lib/request/list-page'
import { ActOnChosen } from './bulk-parts'
import { userSelection } from './selection'
import { UserRowMenu } from './user-parts'

/** Returns the stored data of a chosen account. Namesakes differ in their login. */
const chosenOf = (row: calls.User) => ({ id: row.id, label: row.name ? `${row.name}, ${row.login}` : row.login, row })

/** The checkboxes of the rows, and the bar with the actions on the chosen ones. */
const bulkOf = (rows: readonly calls.User[]) => ({
  boxOf: (row: calls.User) => <BulkBox list={userSelection} row={chosenOf(row)} />,
  barOver: (tools: ReactNode) => (
    <BulkBar list={userSelection} page={rows.map(chosenOf)} tools={tools}>
      <ActOnChosen />
    </BulkBar>
  ),
})

/** The list with its search, filters and pager. */
export async function Users({ ctx, query, address, mayWrite, chosenColumns }: ListOf<typeof calls.UserQuery>) {
  const { roleId, organizationId, contractorId } = query.filter
  const [t, providers, roles, organizations, contractors, { users, meta }] = await Promise.all([
    getTranslations('users'),
    providerChoices(ctx),
    roleId ? searchRoles(ctx, { query: { ids: [roleId] } }) : null,
    organizationId ? searchOrganizations(ctx, { query: { ids: [organizationId] } }) : null,
    contractorId ? searchContractors(ctx, { query: { ids: [contractorId] } }) : null,
    readList(address, (place) => listUsers(ctx, { query: { ...query, ...place } })),
  ])
  const optionOf = (row: { id: string; name: string; nameEn?: string | null }) => ({
    value: row.id,
    label: localName({ nameEn: null, ...row }, ctx.locale),
  })
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      chosenColumns={chosenColumns}
      exports="/setting/users/export"
      {...(mayWrite ? { bulk: bulkOf(users) } : {})}
      rows={users}
      caption={t('caption')}
      search={t('search')}
      filters={[
        { kind: 'yesNo', name: 'enabled', label: t('enabled') },
        { kind: 'remote', name: 'roleId', label: t('role'), of: 'roles', chosen: roles?.roles.map(optionOf) ?? [] },
        {
          kind: 'remote',
          name: 'organizationId',
          label: t('organization'),
          of: 'organizations',
          chosen: organizations?.organizations.map(optionOf) ?? [],
        },
        {
          kind: 'remote',
          name: 'contractorId',
          label: t('contractor'),
          of: 'contractors',
          chosen: contractors?.contractors.map(optionOf) ?? [],
        },
        ...(providers.length > 0
          ? [
              {
                kind: 'choice' as const,
                name: 'providerId',
                label: t('provider'),
                options: providers.map(({ id, name }) => ({ value: id, label: name })),
              },
            ]
          : []),
        {
          kind: 'choice',
          name: 'unseenDays',
          label: t('unseen'),
          options: [30, 90, 180, 365].map((days) => ({ value: String(days), label: t('unseenFor', { days }) })),
        },
        { kind: 'yesNo', name: 'incomplete', label: t('incomplete') },
      ]}
      empty={{ title: t('emptyTitle'), text: t('emptyText') }}
      columns={[
        {
          title: true,
          by: 'name',
          label: t('name'),
          cell: ({ id, name, login, enabled }) => (
            <>
              <RowLink href={cardPath('PlatformUser', id)}>{name || login}</RowLink>
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                {name ? <span className="wrap-anywhere font-normal text-ink-second text-note">{login}</span> : null}
                {enabled ? null : <Pill>{t('disabled')}</Pill>}
              </span>
            </>
          ),
        },
        {
          name: 'email',
          label: t('email'),
          whole: true,
          cell: ({ email }) => (email ? <AddressText>{email}</AddressText> : null),
        },
        {
          name: 'mobile',
          label: t('mobile'),
          priority: 2,
          className: 'tabular-nums whitespace-nowrap',
          cell: ({ mobile }) => mobile && mobileText(mobile, ctx.locale),
        },
        {
          name: 'provider',
          label: t('provider'),
          priority: 3,
          hidden: true,
          cell: ({ provider }) => provider?.name ?? <span className="text-ink-second">{t('ownAccount')}</span>,
        },
        {
          name: 'externalId',
          label: t('externalId'),
          priority: 3,
          hidden: true,
          cell: ({ externalId }) => (externalId ? <Mono>{externalId}</Mono> : null),
        },
        {
          name: 'lastSeenAt',
          label: t('lastSeen'),
          priority: 2,
          className: 'text-ink-second',
          cell: ({ lastSeenAt }) =>
            lastSeenAt ? <DateTime value={lastSeenAt} /> : <span className="text-ink-second">{t('neverSeen')}</span>,
        },
        {
          name: 'createdAt',
          by: 'createdAt',
          first: 'desc',
          label: t('created'),
          priority: 2,
          className: 'text-ink-second',
          cell: ({ createdAt }) => <DateTime value={createdAt} />,
        },
      ]}
      menu={(user) => (
        <UserRowMenu
          user={user}
          name={user.name || user.login}
          href={cardPath('PlatformUser', user.id)}
          mayWrite={mayWrite}
        />
      )}
    />
  )
}
