import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type * as calls from '@/lib/companies/access-requests/contract'
import { listAccessRequests } from '@/lib/companies/access-requests/service'
import { readList } from '@/lib/request/list-page'
import { CompanyCell } from './company-cell'
import { RequestRowMenu } from './request-parts'
import { StatusCell } from './status-cell'
import { statusFilter } from './status-filter'

type Props = {
  ctx: Ctx
  query: ServiceInput<typeof calls.listAccessRequests>['query']
  address: ListAddress
  /** The button that requests access; nothing if nobody can request it. */
  ask: ReactNode
  open: boolean
}

/** The person's own requests. */
export async function Outgoing({ ctx, query, address, ask, open }: Props) {
  const [t, { requests, meta }] = await Promise.all([
    getTranslations('access-requests'),
    readList(address, async (place) => {
      const list = await listAccessRequests(ctx, { query: { ...query, ...place } })
      return { ...list, requests: list.requests.map((request) => ({ ...request, id: request.requestId })) }
    }),
  ])
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      rows={requests}
      caption={t('outgoingCaption')}
      search={t('search')}
      filters={[statusFilter(t)]}
      empty={{ title: t('emptyTitle'), text: open ? t('emptyText') : t('closedText'), action: ask }}
      columns={[
        {
          title: true,
          by: 'requestCompanyName',
          label: t('company'),
          cell: (request) => <CompanyCell request={request} />,
        },
        {
          label: t('roles'),
          priority: 2,
          whole: true,
          cell: ({ requestCompanyRoles }) =>
            requestCompanyRoles.map(({ roleName }) => roleName).join(', ') || t('rolesUnnamed'),
        },
        { label: t('status'), whole: true, cell: (request) => <StatusCell request={request} /> },
        {
          by: 'requestDate',
          first: 'desc',
          label: t('sent'),
          cell: ({ requestDate }) => <DateTime value={requestDate} />,
        },
        {
          by: 'responseDate',
          first: 'desc',
          priority: 3,
          label: t('answered'),
          cell: ({ responseDate }) => (responseDate ? <DateTime value={responseDate} /> : '—'),
        },
      ]}
      menu={(request) =>
        request.status === 'considered' ? <RequestRowMenu request={request} name={request.requestCompanyName} /> : null
      }
    />
  )
}
