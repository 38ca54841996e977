import Link from 'next/link'
import { getLocale, getTranslations } from 'next-intl/server'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Pill } from '@/components/ui/pill'
import { toldCount } from '@/components/ui/told-count'
import { readList } from '@/lib/context/list-page'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { localName } from '@/lib/kernel/i18n/local-name'
import type { ListAddress } from '@/lib/kernel/list-address'
import { type listRoles as call, RoleType } from '@/lib/people/roles/contract'
import { listMethods, listRoles } from '@/lib/people/roles/manage'
import { CreateRole, RoleRowMenu } from './role-parts'

type Props = VerbInput<typeof call> & { ctx: Ctx; address: ListAddress; mayWrite: boolean }

/** The list with its tools. */
export async function Roles({ ctx, query, address, mayWrite }: Props) {
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
            <>
              <Link href={`/platform/setting/roles/${role.id}`} prefetch={false} className="hover:underline">
                {localName(role, locale)}
              </Link>
              {role.comment ? (
                <span className="line-clamp-2 font-normal text-ink-second text-note">{role.comment}</span>
              ) : null}
            </>
          ),
        },
        { by: 'roleType', label: t('type'), cell: ({ roleType }) => t(`types.${roleType}`) },
        {
          label: t('state'),
          cell: ({ enabled }) => <Pill tone={enabled ? 'ok' : 'neutral'}>{t(enabled ? 'enabled' : 'disabled')}</Pill>,
        },
        { label: t('methods'), priority: 2, align: 'right', cell: ({ methodCount }) => methodCount },
        {
          label: t('holders'),
          align: 'right',
          cell: ({ holders }) => t('amount', toldCount(holders)),
        },
        {
          by: 'updatedAt',
          first: 'desc',
          label: t('changed'),
          priority: 3,
          className: 'text-ink-second',
          cell: ({ updatedAt }) => <DateTime value={updatedAt} />,
        },
      ]}
      menu={(role) => <RoleRowMenu role={role} name={localName(role, locale)} mayWrite={mayWrite} />}
    />
  )
}
