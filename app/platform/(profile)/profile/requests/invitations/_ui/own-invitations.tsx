import { getTranslations } from 'next-intl/server'
import { ListTable } from '@/components/list/list-table'
import { Alert } from '@/components/ui/alert'
import { DateTime } from '@/components/ui/date-time'
import { TextLink } from '@/components/ui/text-link'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { screenNamed } from '@/lib/base/navigation/screens'
import type * as calls from '@/lib/joining/received-invitations/contract'
import { listOwnInvitations, termsOfCaller } from '@/lib/joining/received-invitations/service'
import { readList } from '@/lib/request/list-page'
import { AcceptOwn } from './accept-own'
import { AccessCell } from './access-cell'
import { invitationFilters } from './invitation-filters'
import { InvitationStatus } from './invitation-status'
import { OwnRowMenu } from './sent-parts'

type Props = { ctx: Ctx; query: ServiceInput<typeof calls.listOwnInvitations>['query']; address: ListAddress }

/** The invitations to the person. */
export async function OwnInvitations({ ctx, query, address }: Props) {
  const [t, terms, { invitations, meta, email }] = await Promise.all([
    getTranslations('invitations'),
    termsOfCaller(ctx),
    readList(address, (place) => listOwnInvitations(ctx, { query: { ...query, ...place } })),
  ])
  const contacts = `${screenNamed('UserProfileMain').path}#email`
  return (
    <div className="grid gap-4">
      {email === null ? (
        <Alert tone="warning" title={t('unprovenTitle')}>
          <p>{t.rich('unprovenText', { profile: (text) => <TextLink href={contacts}>{text}</TextLink> })}</p>
        </Alert>
      ) : null}
      <ListTable
        address={address}
        query={query}
        meta={meta}
        cursor
        rows={invitations}
        caption={t('incomingCaption')}
        search={t('incomingSearch')}
        filters={invitationFilters(t)}
        empty={{
          title: t('incomingEmptyTitle'),
          text: email === null ? t('incomingEmptyUnproven') : t('incomingEmptyText', { email }),
        }}
        columns={[
          {
            title: true,
            label: t('company'),
            cell: ({ company }) => <span className="wrap-anywhere">{company}</span>,
          },
          { label: t('roles'), whole: true, cell: ({ access }) => <AccessCell access={access} /> },
          { label: t('inviter'), priority: 3, whole: true, cell: ({ inviter }) => inviter || null },
          {
            by: 'date',
            first: 'desc',
            priority: 2,
            label: t('invited'),
            cell: ({ date }) => <DateTime value={date} />,
          },
          {
            by: 'expiresAt',
            label: t('status'),
            whole: true,
            cell: (invitation) => {
              const { status, acceptable, expiresAt } = invitation
              if (acceptable)
                return (
                  <span className="grid justify-items-start gap-1">
                    <AcceptOwn invitation={invitation} terms={terms} />
                    <span className="text-ink-second text-note">
                      {t.rich('until', { date: () => <DateTime value={expiresAt} /> })}
                    </span>
                  </span>
                )
              if (status === 'active') return <span className="text-ink-second">{t('givesNothing')}</span>
              return <InvitationStatus of={invitation} />
            },
          },
        ]}
        menu={(invitation) => (invitation.status === 'active' ? <OwnRowMenu invitation={invitation} /> : null)}
      />
    </div>
  )
}
