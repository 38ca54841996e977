import { and, eq, inArray, not, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { paged, selectPage } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { oidcClients, oidcConsents, oidcRecords } from '@/db/schema/oidc'
import { applications } from '@/db/schema/platform'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type * as calls from './contract'

const ofClient = (userId: string, clientId: string) =>
  and(
    eq(oidcConsents.userId, userId),
    sql`${oidcConsents.clientId} = (select c.id from ${oidcClients} c where c.client_id = ${clientId})`,
  )

/** Returns the scopes that a user has granted a client; null for none yet. */
export async function selectConsent(userId: string, clientId: string): Promise<string[] | null> {
  const [row] = await db().select({ scopes: oidcConsents.scopes }).from(oidcConsents).where(ofClient(userId, clientId))
  return row?.scopes ?? null
}

/** Locks a user's consent to a client and returns its id and scopes; null if there is none. */
export async function lockConsent(tx: Transaction, userId: string, clientId: string) {
  const [row] = await tx
    .select({ id: oidcConsents.id, scopes: oidcConsents.scopes })
    .from(oidcConsents)
    .where(ofClient(userId, clientId))
    .for('update')
  return row ?? null
}

/** Adds scopes to those that were granted before. Returns the row, or null when there is no such client. */
export async function storeConsent(
  tx: Transaction,
  { userId, clientId, scopes, at }: { userId: string; clientId: string; scopes: string[]; at: Date },
) {
  const [client] = await tx.select({ id: oidcClients.id }).from(oidcClients).where(eq(oidcClients.clientId, clientId))
  if (!client) return null
  const [row] = await tx
    .insert(oidcConsents)
    .values({ userId, clientId: client.id, scopes: scopes.toSorted(), createdAt: at })
    .onConflictDoUpdate({
      target: [oidcConsents.userId, oidcConsents.clientId],
      set: {
        scopes: sql`array(select distinct unnest(${oidcConsents.scopes} || excluded.scopes) order by 1)`,
      },
    })
    .returning({ id: oidcConsents.id, scopes: oidcConsents.scopes })
  return row ?? null
}

type ListInput = ServiceInput<typeof calls.listUserApplications>['query']

const external = sql`${applications.type} = 'external'`

/** The condition for applications that have a consent of the user or a valid grant. */
const hasAccess = (userId: string, now: Date) => sql`exists (
  select from ${oidcClients} c where c.application_id = ${applications}.id and (
    exists (select from ${oidcConsents} k where k.client_id = c.id and k.user_id = ${userId})
    or exists (
      select from ${oidcRecords} r
      where r.account_id = ${userId} and r.client_id = c.client_id and r.model = 'Grant' and r.expires_at > ${now}
    )
  )
)`

/** Returns a page of the applications that have access to data of a user, external ones first. */
export function selectUserApplicationPage(
  query: ListInput,
  pageSize: number | null,
  { userId, locale, now }: { userId: string; locale: string; now: Date },
) {
  const isAccessible = hasAccess(userId, now)
  const name = sql`lower(${localNameColumn(applications, locale)})`
  const { id, name: title, nameEn, url, type } = applications
  return selectPage(
    query,
    pageSize,
    {
      sorts: { name },
      first: external,
      tie: applications.id,
      filters: {
        search: (text) => found(text, [applications.name, applications.nameEn]),
        type: (kind) => (kind === 'external' ? external : not(external)),
      },
    },
    {
      rows: ({ where, ...parts }) =>
        paged(db().select({ id, name: title, nameEn, url, type }).from(applications).$dynamic(), {
          ...parts,
          where: and(isAccessible, where),
        }),
      count: (where) => db().$count(applications, and(isAccessible, where)),
    },
  )
}

/** Returns the clients of these applications, with the scopes that the user has granted each. */
export const selectClientsWithConsents = (run: Database | Transaction, userId: string, applicationIds: string[]) =>
  run
    .select({
      applicationId: oidcClients.applicationId,
      clientId: oidcClients.clientId,
      scopes: oidcConsents.scopes,
      since: oidcConsents.createdAt,
    })
    .from(oidcClients)
    .leftJoin(oidcConsents, and(eq(oidcConsents.clientId, oidcClients.id), eq(oidcConsents.userId, userId)))
    .where(inArray(oidcClients.applicationId, applicationIds))

/** Removes a user's consents to an application and returns them. */
export const removeConsents = (tx: Transaction, userId: string, applicationId: string) =>
  tx
    .delete(oidcConsents)
    .where(
      and(
        eq(oidcConsents.userId, userId),
        inArray(
          oidcConsents.clientId,
          tx.select({ id: oidcClients.id }).from(oidcClients).where(eq(oidcClients.applicationId, applicationId)),
        ),
      ),
    )
    .returning({ id: oidcConsents.id, scopes: oidcConsents.scopes })

export async function selectApplicationName(tx: Transaction, id: string) {
  const [row] = await tx.select({ name: applications.name }).from(applications).where(eq(applications.id, id))
  return row?.name ?? null
}
