import { getTranslations } from 'next-intl/server'
import { Noted, RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import { shownCount } from '@/components/ui/shown-count'
import { applicationNamed } from '@/lib/applications/applications/manage'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { localName } from '@/lib/base/i18n/local-name'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { cardPath } from '@/lib/base/navigation/screens'
import type * as calls from '@/lib/openid/application-sessions/contract'
import { listApplicationSessions } from '@/lib/openid/application-sessions/service'
import { readList } from '@/lib/request/list-page'
import { EndSession, EndSessions } from './end-sessions'

type Props = ServiceInput<typeof calls.listApplicationSessions> & {
  ctx: Ctx
  address: ListAddress
  mayWrite: boolean
  /** Restricts the list to this application, on its card. */
  applicationId?: string
}

/** The sessions of people in applications: search them, and end one or all that are found. */
export async function ApplicationSessions({ ctx, query, address, mayWrite, applicationId }: Props) {
  const filteredApplication = applicationId ?? query.filter.applicationId
  const filter = { ...query.filter, applicationId: filteredApplication }
  const [t, applicationOptions, { sessions, meta }] = await Promise.all([
    getTranslations('application-sessions'),
    applicationId || !filteredApplication ? null : applicationNamed(ctx, filteredApplication),
    readList(address, (place) => listApplicationSessions(ctx, { query: { ...query, filter, ...place } })),
  ])
  const chosen = applicationOptions
    ? [{ value: applicationOptions.id, label: localName(applicationOptions, ctx.locale) }]
    : []
  const { search, dateFrom, dateTo } = query.filter
  const foundCount = shownCount({ count: meta.total ?? 0, more: meta.more ?? false })
  const open = holdsMethod(ctx, 'users.read')
  return (
    <>
      {mayWrite && meta.total ? (
        <div className="flex justify-end">
          <EndSessions
            found={foundCount}
            filtered={Boolean(search || dateFrom || dateTo || (!applicationId && filteredApplication))}
            query={{
              ...(filteredApplication ? { applicationId: filteredApplication } : {}),
              filter: { search, dateFrom, dateTo },
            }}
          />
        </div>
      ) : null}
      <ListTable
        address={address}
        query={query}
        meta={meta}
        cursor
        rows={sessions}
        caption={t('caption')}
        search={t('search')}
        filters={[
          { kind: 'dates', name: 'dates', label: t('start'), from: 'dateFrom', to: 'dateTo' },
          ...(applicationId
            ? []
            : [
                {
                  kind: 'remote' as const,
                  name: 'applicationId',
                  label: t('application'),
                  of: 'applications' as const,
                  chosen,
                },
              ]),
        ]}
        empty={{ title: t('emptyTitle'), text: t('emptyText') }}
        columns={[
          {
            title: true,
            label: t('person'),
            cell: ({ user }) => (
              <Noted note={user?.login ?? ''}>
                <RowLink href={user && open ? cardPath('PlatformUser', user.id) : undefined}>
                  {user?.name || t('nobody')}
                </RowLink>
              </Noted>
            ),
          },
          ...(applicationId
            ? []
            : [
                {
                  label: t('application'),
                  cell: ({ application }: calls.ApplicationSession) => (
                    <RowLink href={cardPath('PlatformApplication', application.id)}>
                      {localName(application, ctx.locale)}
                    </RowLink>
                  ),
                },
              ]),
          { label: t('client'), priority: 2, cell: ({ clientId }) => <Mono>{clientId}</Mono> },
          { by: 'start', first: 'desc', label: t('start'), cell: ({ start }) => <DateTime value={start} /> },
          {
            label: t('lastUsed'),
            priority: 2,
            cell: ({ lastUsed }) => (lastUsed ? <DateTime value={lastUsed} /> : null),
          },
          { label: t('expiry'), priority: 3, cell: ({ expiry }) => <DateTime value={expiry} /> },
        ]}
        menu={
          mayWrite
            ? (session) => (
                <EndSession
                  id={session.id}
                  clientId={session.clientId}
                  name={session.user?.name || t('nobody')}
                  application={localName(session.application, ctx.locale)}
                />
              )
            : undefined
        }
      />
    </>
  )
}
