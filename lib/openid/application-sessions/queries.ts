import { and, asc, eq, gt, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { type CursorParts, cursorPage, type Keys } from '@/db/cursor'
import { countRows, paged } from '@/db/list'
import { oidcClients, oidcRecords } from '@/db/schema/oidc'
import { users } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'
import { found } from '@/db/search'
import { personName } from '@/lib/base/audit/changer'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { dayBegins } from '@/lib/base/text/time-zone'
import type { listApplicationSessions } from './contract'

type Query = ServiceInput<typeof listApplicationSessions>['query']
export type SessionFilter = Query['filter']

const owner = sql`${oidcRecords.accountId}::uuid`

/** Returns the condition for a grant of a person that is valid now. */
const isLive = (now: Date) =>
  and(
    eq(oidcRecords.model, 'Grant'),
    gt(oidcRecords.expiresAt, now),
    sql`exists (select from ${oidcClients} oc where oc.client_id = ${oidcRecords.clientId})`,
  )

/**
 * Returns the condition that finds grants by the person's name, by the login if `logins`, by the names of client and
 * application, and by the client's id.
 */
const matchesText = (text: string, logins: boolean) => {
  const names = ['u.fio', "concat_ws(' ', u.last_name, u.first_name)", ...(logins ? ['u.login'] : [])]
  return or(
    sql`exists (select from ${users} u where u.id = ${owner} and ${found(
      text,
      names.map((name) => sql.raw(name)),
    )})`,
    sql`exists (
      select from ${oidcClients} oc join ${applications} oa on oa.id = oc.application_id
      where oc.client_id = ${oidcRecords.clientId} and ${found(
        text,
        ['oc.client_id', 'oc.name', 'oa.name', 'oa.name_en'].map((name) => sql.raw(name)),
      )})`,
  )
}

const filtersOf = (logins: boolean, timeZone: string) => ({
  search: (text: string) => matchesText(text, logins),
  dateFrom: (day: string) => gte(oidcRecords.createdAt, dayBegins(day, timeZone)),
  dateTo: (day: string) => lt(oidcRecords.createdAt, dayBegins(day, timeZone, 1)),
  applicationId: (id: string) =>
    inArray(
      oidcRecords.clientId,
      db().select({ clientId: oidcClients.clientId }).from(oidcClients).where(eq(oidcClients.applicationId, id)),
    ),
})

const columns = {
  id: oidcRecords.idHash,
  clientId: sql<string>`${oidcRecords.clientId}`,
  client: oidcClients.name,
  application: { id: applications.id, name: applications.name, nameEn: applications.nameEn },
  userId: users.id,
  userName: personName,
  login: users.login,
  start: oidcRecords.createdAt,
  lastUsed: sql<Date | null>`(
    select max(t.created_at) from ${oidcRecords} t
    where t.grant_id = ${oidcRecords}.grant_id and t.model <> 'Grant'
  )`.mapWith(oidcRecords.createdAt),
  expiry: oidcRecords.expiresAt,
}

type ReadOptions = { caller: string; pageSize: number | null; logins: boolean; timeZone: string; now: Date }

/** Returns one page of the live grants of people. */
export const selectSessionPage = (query: Query, { caller, pageSize, logins, timeZone, now }: ReadOptions) =>
  cursorPage(
    query,
    pageSize,
    {
      list: 'application-sessions',
      caller,
      sorts: { start: oidcRecords.createdAt },
      tie: oidcRecords.idHash,
      filters: filtersOf(logins, timeZone),
      total: 10_000,
    },
    {
      rows: ({ keys, ...parts }: CursorParts) =>
        paged(
          db()
            .select({ ...columns, keys: keys as SQL<Keys> })
            .from(oidcRecords)
            .innerJoin(oidcClients, eq(oidcClients.clientId, oidcRecords.clientId))
            .innerJoin(applications, eq(applications.id, oidcClients.applicationId))
            .leftJoin(users, sql`${users.id} = ${owner}`)
            .$dynamic(),
          { ...parts, where: and(isLive(now), parts.where) },
        ),
      count: (where, atMost) => countRows(oidcRecords, and(isLive(now), where), atMost),
    },
  )

const grantColumns = {
  idHash: oidcRecords.idHash,
  grantId: oidcRecords.grantId,
  clientId: oidcRecords.clientId,
  accountId: oidcRecords.accountId,
  applicationId: oidcClients.applicationId,
}

/** Returns up to `limit` live grants that a filter finds and that were created by `now`, sorted by account. */
export async function selectGrants(
  filter: SessionFilter,
  options: Omit<ReadOptions, 'caller' | 'pageSize'> & { limit: number },
) {
  const filters = filtersOf(options.logins, options.timeZone)
  const conditions = Object.entries(filter).map(([name, value]) =>
    value === undefined ? undefined : filters[name as keyof typeof filters](value),
  )
  return db()
    .select(grantColumns)
    .from(oidcRecords)
    .innerJoin(oidcClients, eq(oidcClients.clientId, oidcRecords.clientId))
    .where(and(isLive(options.now), lte(oidcRecords.createdAt, options.now), ...conditions))
    .orderBy(asc(oidcRecords.accountId), asc(oidcRecords.idHash))
    .limit(options.limit)
}

/** Returns a live grant of a client; undefined for any other id. */
export async function selectGrant(idHash: string, clientId: string, now: Date) {
  const [row] = await db()
    .select(grantColumns)
    .from(oidcRecords)
    .innerJoin(oidcClients, eq(oidcClients.clientId, oidcRecords.clientId))
    .where(and(isLive(now), eq(oidcRecords.idHash, idHash), eq(oidcRecords.clientId, clientId)))
  return row
}
