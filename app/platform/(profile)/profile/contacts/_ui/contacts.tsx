import { getTranslations } from 'next-intl/server'
import { RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { AddressText } from '@/components/ui/address-text'
import { Avatar } from '@/components/ui/avatar'
import { buttonClasses } from '@/components/ui/button-classes'
import { DateTime } from '@/components/ui/date-time'
import { pictureAddress } from '@/lib/accounts/pictures/address'
import { initialsOfName } from '@/lib/accounts/users/initials'
import { cardPath, pathOfScreen } from '@/lib/base/navigation/screens'
import { mobileText } from '@/lib/base/text/mobile'
import type { ContactQuery } from '@/lib/companies/colleagues/contract'
import { contactFilters, listContacts } from '@/lib/companies/colleagues/service'
import { type ListOf, readList } from '@/lib/request/list-page'
import { requestPath } from '@/lib/request/request-path'
import { AccessPill } from './access-pill'

/** A few names, and how many more there are. */
function Names({ of: [first, ...rest] }: { of: readonly string[] }) {
  if (!first) return null
  return (
    <span className="wrap-anywhere" title={[first, ...rest].join(', ')}>
      {first}
      {rest.length > 0 ? <span className="text-ink-second"> +{rest.length}</span> : null}
    </span>
  )
}

/** The list with its tools. */
export async function Contacts({ ctx, query, address, chosenColumns }: ListOf<typeof ContactQuery>) {
  const { contractorId } = query.filter
  const [t, tShell, { contractors, named, roles, manages }, { contacts, meta }] = await Promise.all([
    getTranslations('contacts'),
    getTranslations('shell'),
    contactFilters(ctx, contractorId),
    readList(address, (place) => listContacts(ctx, { query: { ...query, ...place } })),
  ])
  const optionsOf = (rows: readonly { id: string; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }))
  const invite = manages ? pathOfScreen('UserProfileInvitationsRequests') : undefined
  const request = await requestPath()
  const hasCompany = contractors?.length !== 0
  const way = hasCompany
    ? invite && { href: invite, label: t('invite') }
    : request && { href: request, label: tShell('requestAccess') }
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      chosenColumns={chosenColumns}
      rows={contacts}
      caption={t('caption')}
      search={t('search')}
      filters={[
        contractors
          ? { kind: 'choice', name: 'contractorId', label: t('company'), options: optionsOf(contractors) }
          : {
              kind: 'remote',
              name: 'contractorId',
              label: t('company'),
              of: 'managedContractors',
              chosen: optionsOf(named),
            },
        { kind: 'choice', name: 'roleId', label: t('role'), options: optionsOf(roles) },
        {
          kind: 'many',
          name: 'access',
          label: t('access'),
          options: (['active', 'inactive', 'invitationSent'] as const).map((value) => ({
            value,
            label: t(`statuses.${value}`),
          })),
        },
      ]}
      empty={{
        title: t(hasCompany ? 'aloneTitle' : 'emptyTitle'),
        text: t(hasCompany ? (manages ? 'aloneManagerText' : 'aloneText') : 'emptyText'),
        action: way ? (
          <a href={way.href} className={buttonClasses()}>
            {way.label}
          </a>
        ) : null,
      }}
      columns={[
        {
          title: true,
          by: 'name',
          label: t('name'),
          cell: ({ userId, name, email, picture, expiresAt }) => (
            <span className="flex items-center gap-3">
              <Avatar
                size="S"
                className="uppercase"
                initials={initialsOfName(name || email || '')}
                src={picture ? pictureAddress(picture) : null}
              />
              <span className="wrap-anywhere grid min-w-0">
                <RowLink href={userId ? cardPath('UserProfileContact', userId) : undefined}>
                  {name || (userId || !email ? t('nameless') : <AddressText>{email}</AddressText>)}
                </RowLink>
                {email && userId ? (
                  <a
                    href={`mailto:${email}`}
                    className="justify-self-start rounded-[2px] font-normal text-ink-second text-note underline-offset-4 hover:underline"
                  >
                    <AddressText>{email}</AddressText>
                  </a>
                ) : null}
                {expiresAt ? (
                  <span className="font-normal text-ink-second text-note">
                    {t.rich('expires', { date: () => <DateTime value={expiresAt} form="date" /> })}
                  </span>
                ) : null}
              </span>
            </span>
          ),
        },
        { name: 'access', label: t('access'), whole: true, cell: ({ access }) => <AccessPill access={access} /> },
        {
          name: 'companies',
          label: t('companies'),
          cell: ({ contractors }) => <Names of={contractors.map(({ name }) => name)} />,
        },
        {
          name: 'roles',
          label: t('roles'),
          priority: 2,
          cell: ({ contractors }) => {
            const names = [...new Set(contractors.flatMap(({ roles }) => roles.map(({ name }) => name)))]
            return names.length > 0 ? <Names of={names} /> : <span className="text-ink-second">{t('noRoles')}</span>
          },
        },
        {
          name: 'mobile',
          hidden: true,
          label: t('mobile'),
          priority: 3,
          className: 'whitespace-nowrap tabular-nums',
          cell: ({ mobile }) => (mobile ? <a href={`tel:${mobile}`}>{mobileText(mobile, ctx.locale)}</a> : null),
        },
      ]}
    />
  )
}
