import { and, asc, eq, gt, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { type CursorParts, cursorPage, type Keys } from '@/db/cursor'
import { refersTo } from '@/db/few'
import { countRows, paged, whereOf } from '@/db/list'
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

/** Up to how many grants the list counts, and how many of a search that finds many people. */
const [maxCounted, maxCountedOfMany] = [10_000, 100]

const owner = sql`${oidcRecords.accountId}::uuid`

/** Returns the condition for a grant of a person that is valid now. */
const isLive = (now: Date) =>
  and(
    eq(oidcRecords.model, 'Grant'),
    gt(oidcRecords.expiresAt, now),
    sql`exists (select from ${oidcClients} oc where oc.client_id = ${oidcRecords.clientId})`,
  )

const { clientId, accountId } = oidcRecords

/** Returns the condition for the grants of the clients that meet a condition, of which there are few. */
async function ofClients(where: SQL | undefined): Promise<SQL> {
  const rows = await db()
    .select({ clientId: oidcClients.clientId })
    .from(oidcClients)
    .innerJoin(applications, eq(applications.id, oidcClients.applicationId))
    .where(where)
  return inArray(
    clientId,
    rows.map((row) => row.clientId),
  )
}

type FilterContext = { logins: boolean; timeZone: string }

/**
 * Returns the conditions of a filter, and up to how many grants are counted. A search finds grants by the person's name, by the login if `logins`, by the names
 * of client and application, and by the client's id.
 */
async function filtersOf({ search, applicationId }: SessionFilter, { logins, timeZone }: FilterContext) {
  const { name, nameEn } = applications
  const [ofPeople, ofFoundClients, ofApplication] = await Promise.all([
    search
      ? refersTo(accountId, users.id, found(search, [users.fio, logins && users.login], { indexed: true }))
      : undefined,
    search ? ofClients(found(search, [oidcClients.clientId, oidcClients.name, name, nameEn])) : undefined,
    applicationId ? ofClients(eq(applications.id, applicationId)) : undefined,
  ])
  const filters = {
    search: () => or(ofPeople?.condition, ofFoundClients),
    dateFrom: (day: string) => gte(oidcRecords.createdAt, dayBegins(day, timeZone)),
    dateTo: (day: string) => lt(oidcRecords.createdAt, dayBegins(day, timeZone, 1)),
    applicationId: () => ofApplication,
  }
  return { filters, total: ofPeople?.few === false ? maxCountedOfMany : maxCounted }
}

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
export const selectSessionPage = async (query: Query, { caller, pageSize, now, ...context }: ReadOptions) =>
  cursorPage(
    query,
    pageSize,
    {
      list: 'application-sessions',
      caller,
      sorts: { start: oidcRecords.createdAt },
      tie: oidcRecords.idHash,
      ...(await filtersOf(query.filter, context)),
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
  const { filters } = await filtersOf(filter, options)
  return db()
    .select(grantColumns)
    .from(oidcRecords)
    .innerJoin(oidcClients, eq(oidcClients.clientId, oidcRecords.clientId))
    .where(and(isLive(options.now), lte(oidcRecords.createdAt, options.now), whereOf(filter, filters)))
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
