import { getTranslations } from 'next-intl/server'
import type { z } from 'zod'
import { CompanyCell } from '@/app/platform/(profile)/profile/requests/access/_ui/company-cell'
import { StatusCell } from '@/app/platform/(profile)/profile/requests/access/_ui/status-cell'
import { statusFilter } from '@/app/platform/(profile)/profile/requests/access/_ui/status-filter'
import { CardList } from '@/components/card/card-list'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { listUserRequests } from '@/lib/account-administration/card-links/service'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type { AccessRequestQuery } from '@/lib/companies/access-requests/contract'
import { readList } from '@/lib/request/list-page'

type Props = { ctx: Ctx; id: string; query: z.output<typeof AccessRequestQuery>; address: ListAddress }

/** The companies for which a person requested access, and the decisions. */
export function Requests(props: Props) {
  return (
    <CardList columns={4}>
      <Read {...props} />
    </CardList>
  )
}

async function Read({ ctx, id, query, address }: Props) {
  const [t, requested, { requests, meta }] = await Promise.all([
    getTranslations('users'),
    getTranslations('access-requests'),
    readList(address, async (place) => {
      const list = await listUserRequests(ctx, { params: { id }, query: { ...query, ...place } })
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
      caption={t('requestsCaption')}
      search={requested('search')}
      filters={[statusFilter(requested)]}
      empty={{ title: t('requestsEmptyTitle'), text: t('requestsEmptyText') }}
      columns={[
        {
          title: true,
          by: 'requestCompanyName',
          label: requested('company'),
          cell: (request) => <CompanyCell request={request} />,
        },
        {
          label: requested('roles'),
          priority: 2,
          whole: true,
          cell: ({ requestCompanyRoles: roles }) => roles.map(({ roleName }) => roleName).join(', ') || null,
        },
        { label: requested('status'), whole: true, cell: (request) => <StatusCell request={request} /> },
        {
          by: 'requestDate',
          first: 'desc',
          label: requested('sent'),
          cell: ({ requestDate }) => <DateTime value={requestDate} />,
        },
      ]}
    />
  )
}
