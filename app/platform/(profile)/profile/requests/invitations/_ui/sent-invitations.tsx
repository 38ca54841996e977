import { getTranslations } from 'next-intl/server'
import { ListTable } from '@/components/list/list-table'
import { AddressText } from '@/components/ui/address-text'
import { DateTime } from '@/components/ui/date-time'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type * as calls from '@/lib/joining/sent-invitations/contract'
import { listSentInvitations } from '@/lib/joining/sent-invitations/service'
import { readList } from '@/lib/request/list-page'
import { AccessCell } from './access-cell'
import { invitationFilters } from './invitation-filters'
import { InvitationStatus } from './invitation-status'
import { Invite } from './invite'
import { SentRowMenu } from './sent-parts'

type Props = { ctx: Ctx; query: ServiceInput<typeof calls.listSentInvitations>['query']; address: ListAddress }

/** Whether another mail followed the first one, which it does after a minute at the earliest. */
const isSentAgain = ({ date, sentAt }: { date: string; sentAt: string }) =>
  Date.parse(sentAt) - Date.parse(date) > 30_000

/** The invitations to companies that the reader manages, regardless of the sender. */
export async function SentInvitations({ ctx, query, address }: Props) {
  const [t, { invitations, meta }] = await Promise.all([
    getTranslations('invitations'),
    readList(address, (place) => listSentInvitations(ctx, { query: { ...query, ...place } })),
  ])
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      rows={invitations}
      caption={t('outgoingCaption')}
      search={t('search')}
      filters={invitationFilters(t)}
      empty={{ title: t('emptyTitle'), text: t('emptyText'), action: <Invite /> }}
      columns={[
        {
          title: true,
          by: 'email',
          label: t('email'),
          cell: ({ email }) => (
            <span className="wrap-anywhere">
              <AddressText>{email}</AddressText>
            </span>
          ),
        },
        { label: t('company'), whole: true, cell: ({ contractor }) => contractor.name },
        { label: t('roles'), priority: 3, whole: true, cell: ({ access }) => <AccessCell access={access} /> },
        {
          by: 'expiresAt',
          label: t('status'),
          whole: true,
          cell: (invitation) => <InvitationStatus of={invitation} />,
        },
        {
          by: 'date',
          first: 'desc',
          priority: 2,
          label: t('sent'),
          whole: true,
          cell: ({ date, sentAt, inviter }) => (
            <span className="grid gap-0.5">
              <DateTime value={date} />
              {isSentAgain({ date, sentAt }) ? (
                <span className="text-ink-second text-note">
                  {t.rich('sentAgain', { date: () => <DateTime value={sentAt} /> })}
                </span>
              ) : null}
              {inviter ? <span className="wrap-anywhere text-ink-second text-note">{inviter}</span> : null}
            </span>
          ),
        },
      ]}
      menu={(invitation) =>
        invitation.status === 'active' || invitation.status === 'deactivated' ? (
          <SentRowMenu invitation={invitation} />
        ) : null
      }
    />
  )
}
