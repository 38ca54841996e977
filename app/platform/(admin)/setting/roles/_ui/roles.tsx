import { getLocale, getTranslations } from 'next-intl/server'
import { changedColumn, enabledColumn, Noted, RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { Mono } from '@/components/ui/mono'
import { shownCount } from '@/components/ui/shown-count'
import { type RoleQuery, RoleType } from '@/lib/access/roles/contract'
import { listMethods, listRoles } from '@/lib/access/roles/manage'
import { localName, nameAmong } from '@/lib/base/i18n/local-name'
import { cardPath } from '@/lib/base/navigation/screens'
import { type ListOf, readList } from '@/lib/request/list-page'
import { CreateRole, RoleRowMenu } from './role-parts'

/** The list with its tools. */
export async function Roles({ ctx, query, address, mayWrite, chosenColumns }: ListOf<typeof RoleQuery>) {
  const [t, locale, { methods }, { roles, meta }] = await Promise.all([
    getTranslations('roles'),
    getLocale(),
    listMethods(ctx),
    readList(address, (place) => listRoles(ctx, { query: { ...query, ...place } })),
  ])
  return (
    <ListTable
      cursor
      address={address}
      query={query}
      meta={meta}
      chosenColumns={chosenColumns}
      rows={roles}
      caption={t('caption')}
      search={t('search')}
      filters={[
        {
          kind: 'many',
          name: 'roleType',
          label: t('type'),
          options: RoleType.options.map((value) => ({ value, label: t(`types.${value}`) })),
        },
        { kind: 'yesNo', name: 'enabled', label: t('filters.enabled') },
        {
          kind: 'choice',
          name: 'method',
          label: t('filters.method'),
          options: methods.map((method) => ({
            value: method.id,
            label: method.application
              ? `${localName(method.application, locale)}: ${localName(method, locale)}`
              : localName(method, locale),
          })),
        },
      ]}
      empty={{ title: t('emptyTitle'), text: t('emptyText'), action: mayWrite ? <CreateRole /> : null }}
      columns={[
        {
          title: true,
          by: 'name',
          label: t('name'),
          cell: (role) => (
            <Noted note={nameAmong({ ru: role.comment, en: role.commentEn }, locale)}>
              <RowLink href={cardPath('PlatformRole', role.id)}>{localName(role, locale)}</RowLink>
            </Noted>
          ),
        },
        { name: 'roleType', by: 'roleType', label: t('type'), cell: ({ roleType }) => t(`types.${roleType}`) },
        enabledColumn(t('state'), t('enabled'), t('disabled')),
        {
          name: 'methods',
          label: t('methods'),
          priority: 2,
          align: 'right',
          cell: ({ methodCount }) => methodCount,
        },
        {
          name: 'holders',
          label: t('holders'),
          align: 'right',
          cell: ({ holders }) => t('amount', shownCount(holders)),
        },
        {
          name: 'code',
          hidden: true,
          label: t('code'),
          cell: ({ code }) => (code ? <Mono>{code}</Mono> : null),
        },
        changedColumn(t('changed'), 3),
      ]}
      menu={(role) => (
        <RoleRowMenu
          role={role}
          name={localName(role, locale)}
          href={cardPath('PlatformRole', role.id)}
          mayWrite={mayWrite}
        />
      )}
    />
  )
}
