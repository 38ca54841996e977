import { getTranslations } from 'next-intl/server'
import { CardList } from '@/components/card/card-list'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Pill } from '@/components/ui/pill'
import { readList } from '@/lib/context/list-page'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { ListAddress } from '@/lib/kernel/list-address'
import type * as calls from '@/lib/people/contractors/contract'
import { listContractorInvitations } from '@/lib/people/contractors/people'

type Props = {
  ctx: Ctx
  id: string
  query: VerbInput<typeof calls.listContractorInvitations>['query']
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
        { label: t('status'), cell: ({ status }) => <Pill tone={tones[status]}>{ts(status)}</Pill> },
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
