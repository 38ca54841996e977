import { getTranslations } from 'next-intl/server'
import { BulkBar } from '@/components/bulk/bulk-bar'
import { BulkBox } from '@/components/bulk/bulk-box'
import type { Chosen } from '@/components/bulk/selection'
import { ListTable } from '@/components/list/list-table'
import { AddressText } from '@/components/ui/address-text'
import { DateTime } from '@/components/ui/date-time'
import { Pill } from '@/components/ui/pill'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type * as calls from '@/lib/companies/access-requests/contract'
import type { IncomingRequest } from '@/lib/companies/access-requests/contract'
import { listIncomingRequests } from '@/lib/companies/access-requests/service'
import { readList } from '@/lib/request/list-page'
import { CompanyCell } from './company-cell'
import { Decide, DecideChosen } from './decide-parts'
import { selection } from './selection'
import { StatusCell } from './status-cell'
import { statusFilter } from './status-filter'
import { whoOf } from './who-of'

type Props = { ctx: Ctx; query: ServiceInput<typeof calls.listIncomingRequests>['query']; address: ListAddress }

/** Returns the stored data of a chosen request that waits; null for any other. */
const chosenOf = (request: IncomingRequest, name: string): Chosen<IncomingRequest>[] => {
  const { requestId, status, requestCompanyName, user } = request
  const label = [name, user.email, requestCompanyName].filter(Boolean).join(', ')
  return status === 'considered' ? [{ id: requestId, label, row: request }] : []
}

/** The requests of other people on which the reader decides, one by one or several at once. */
export async function Incoming({ ctx, query, address }: Props) {
  const [t, { requests, meta }] = await Promise.all([
    getTranslations('access-requests'),
    readList(address, async (place) => {
      const list = await listIncomingRequests(ctx, { query: { ...query, ...place } })
      return { ...list, requests: list.requests.map((request) => ({ ...request, id: request.requestId })) }
    }),
  ])
  const chosen = (request: IncomingRequest) => chosenOf(request, whoOf(request, t))
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      rows={requests}
      caption={t('incomingCaption')}
      search={t('incomingSearch')}
      filters={[statusFilter(t)]}
      empty={{ title: t('incomingEmptyTitle'), text: t('incomingEmptyText') }}
      bulk={{
        boxOf: (request) => {
          const [row] = chosen(request)
          return row ? <BulkBox list={selection} row={row} /> : null
        },
        barOver: (tools) => (
          <BulkBar list={selection} page={requests.flatMap(chosen)} tools={tools}>
            <DecideChosen />
          </BulkBar>
        ),
      }}
      columns={[
        {
          title: true,
          label: t('person'),
          cell: (request) => (
            <span className="grid gap-0.5">
              <span className="wrap-anywhere">{whoOf(request, t)}</span>
              {request.user.email ? (
                <span className="wrap-anywhere font-normal text-ink-second text-note">
                  <AddressText>{request.user.email}</AddressText>
                </span>
              ) : null}
              {request.user.enabled ? null : (
                <span>
                  <Pill tone="neutral">{t('disabled')}</Pill>
                </span>
              )}
            </span>
          ),
        },
        {
          by: 'requestCompanyName',
          label: t('company'),
          whole: true,
          cell: (request) => <CompanyCell request={request} />,
        },
        {
          label: t('roles'),
          priority: 3,
          whole: true,
          cell: ({ requestCompanyRoles }) =>
            requestCompanyRoles.map(({ roleName }) => roleName).join(', ') || t('rolesUnnamed'),
        },
        {
          by: 'requestDate',
          first: 'desc',
          priority: 2,
          label: t('sent'),
          cell: ({ requestDate }) => <DateTime value={requestDate} />,
        },
        {
          label: t('status'),
          whole: true,
          cell: (request) =>
            request.status === 'considered' ? (
              <Decide request={request} />
            ) : (
              <span className="grid gap-1">
                <StatusCell request={request} />
                {request.decider ? (
                  <span className="wrap-anywhere text-ink-second text-note">
                    {t('decidedBy', { name: request.decider })}
                  </span>
                ) : null}
              </span>
            ),
        },
      ]}
    />
  )
}
