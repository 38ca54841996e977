import { getTranslations } from 'next-intl/server'
import { CardList } from '@/components/card/card-list'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Pills } from '@/components/ui/pills'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type * as calls from '@/lib/companies/contractors/contract'
import type { ContractorInvitation } from '@/lib/companies/contractors/contract'
import { listContractorInvitations } from '@/lib/companies/contractors/people'
import { readList } from '@/lib/request/list-page'

type Props = {
  ctx: Ctx
  id: string
  query: ServiceInput<typeof calls.listContractorInvitations>['query']
  address: ListAddress
}

const tones = {
  active: 'info',
  success: 'ok',
  autoSuccess: 'ok',
  deactivated: 'neutral',
  deleted: 'neutral',
  refusal: 'warning',
} as const

/** The invitations to a contractor, in any state. */
export function Invitations(props: Props) {
  return (
    <CardList columns={5}>
      <Read {...props} />
    </CardList>
  )
}

async function Read({ ctx, id, query, address }: Props) {
  const [t, ts, { invitations, meta }] = await Promise.all([
    getTranslations('contractors'),
    getTranslations('history.invitations.statuses'),
    readList(address, (place) => listContractorInvitations(ctx, { params: { id }, query: { ...query, ...place } })),
  ])
  const list = new Intl.ListFormat(ctx.locale, { type: 'unit' })
  const markOf = ({ gives }: ContractorInvitation) => {
    if (gives === 'nothing') return [{ text: t('givesNothing'), tone: 'warning' as const }]
    return gives === 'part' ? [{ text: t('givesPart'), tone: 'warning' as const }] : []
  }
  /** A sentence for each reason for which an open invitation doesn't give roles. */
  const reasonsOf = ({ gives, withheld }: ContractorInvitation) => {
    if (gives === 'nothing' && withheld.length === 0) return [t('withheld.none')]
    return Object.entries(Object.groupBy(withheld, ({ reason }) => reason)).map(([reason, roles]) => {
      const names = (kind: 'role' | 'organization') => [...new Set(roles.map((role) => role[kind].name))]
      const [ofRoles, ofOrganizations] = [names('role'), names('organization')]
      const count = (reason === 'role' || reason === 'methods' ? ofRoles : ofOrganizations).length
      return t(`withheld.${reason as ContractorInvitation['withheld'][number]['reason']}`, {
        count,
        roles: list.format(ofRoles),
        organizations: list.format(ofOrganizations),
      })
    })
  }
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      rows={invitations}
      caption={t('invitationCaption')}
      search={t('invitationSearch')}
      empty={{ title: t('invitationsEmptyTitle'), text: t('invitationsEmptyText') }}
      columns={[
        { title: true, label: t('email'), cell: ({ email }) => email },
        {
          label: t('status'),
          whole: true,
          cell: (invitation) => (
            <span className="grid gap-1">
              <Pills
                of={[{ text: ts(invitation.status), tone: tones[invitation.status] }, ...markOf(invitation)]}
                none=""
              />
              {reasonsOf(invitation).map((reason) => (
                <span key={reason} className="text-ink-second text-note">
                  {reason}
                </span>
              ))}
            </span>
          ),
        },
        { label: t('inviter'), priority: 2, cell: ({ inviter }) => inviter || null },
        {
          by: 'createdAt',
          first: 'desc',
          label: t('sent'),
          cell: ({ createdAt }) => <DateTime value={createdAt} />,
        },
        { label: t('expires'), priority: 2, cell: ({ expiresAt }) => <DateTime value={expiresAt} /> },
      ]}
    />
  )
}
