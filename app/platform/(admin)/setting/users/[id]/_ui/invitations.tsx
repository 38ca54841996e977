import { getTranslations } from 'next-intl/server'
import type { z } from 'zod'
import { AccessCell } from '@/app/platform/(profile)/profile/requests/invitations/_ui/access-cell'
import { invitationFilters } from '@/app/platform/(profile)/profile/requests/invitations/_ui/invitation-filters'
import { InvitationStatus } from '@/app/platform/(profile)/profile/requests/invitations/_ui/invitation-status'
import { CardList } from '@/components/card/card-list'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { listUserInvitations } from '@/lib/account-administration/card-links/service'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type { OwnInvitationQuery } from '@/lib/joining/received-invitations/contract'
import { readList } from '@/lib/request/list-page'

type Props = { ctx: Ctx; id: string; query: z.output<typeof OwnInvitationQuery>; address: ListAddress }

/** The companies to which a person was invited, and the answers. */
export function Invitations(props: Props) {
  return (
    <CardList columns={4}>
      <Read {...props} />
    </CardList>
  )
}

async function Read({ ctx, id, query, address }: Props) {
  const [t, invited, { invitations, meta }] = await Promise.all([
    getTranslations('users'),
    getTranslations('invitations'),
    readList(address, (place) => listUserInvitations(ctx, { params: { id }, query: { ...query, ...place } })),
  ])
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      rows={invitations}
      caption={t('invitationsCaption')}
      search={invited('incomingSearch')}
      filters={invitationFilters(invited)}
      empty={{ title: t('invitationsEmptyTitle'), text: t('invitationsEmptyText') }}
      columns={[
        {
          title: true,
          label: invited('company'),
          cell: ({ company }) => <span className="wrap-anywhere">{company}</span>,
        },
        {
          label: invited('roles'),
          priority: 2,
          whole: true,
          cell: ({ access }) => (access.length > 0 ? <AccessCell access={access} /> : null),
        },
        {
          by: 'expiresAt',
          label: invited('status'),
          whole: true,
          cell: (invitation) => <InvitationStatus of={invitation} />,
        },
        { label: invited('inviter'), priority: 3, whole: true, cell: ({ inviter }) => inviter || null },
        { by: 'date', first: 'desc', label: invited('invited'), cell: ({ date }) => <DateTime value={date} /> },
      ]}
    />
  )
}
