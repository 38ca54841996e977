import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { oidcClients, oidcLogouts, oidcRecords } from '@/db/schema/oidc'
import { history } from '@/db/schema/operations'
import { methods } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'

/** Returns the enabled clients of enabled applications, with what sign-in needs of the application. */
export const selectUsableClients = () =>
  db()
    .select({
      clientId: oidcClients.clientId,
      name: oidcClients.name,
      type: oidcClients.type,
      authMethod: oidcClients.authMethod,
      jwks: oidcClients.jwks,
      jwksUri: oidcClients.jwksUri,
      secrets: oidcClients.secrets,
      redirectUris: oidcClients.redirectUris,
      postLogoutRedirectUris: oidcClients.postLogoutRedirectUris,
      allowedOrigins: oidcClients.allowedOrigins,
      grantTypes: oidcClients.grantTypes,
      accessTokenLifespan: oidcClients.accessTokenLifespan,
      refreshTokenLifespan: oidcClients.refreshTokenLifespan,
      backchannelLogoutUri: oidcClients.backchannelLogoutUri,
      applicationType: oidcClients.applicationType,
      pkceRequired: oidcClients.pkceRequired,
      idTokenAlg: oidcClients.idTokenAlg,
      application: {
        id: applications.id,
        type: applications.type,
        name: applications.name,
        nameEn: applications.nameEn,
        code: applications.code,
        url: applications.url,
        methods: sql<{ id: string; code: string }[]>`coalesce((
          select json_agg(json_build_object('id', m.id, 'code', m.code) order by m.code)
          from ${methods} m where m.application_id = ${applications}.id
        ), '[]')`,
      },
    })
    .from(oidcClients)
    .innerJoin(applications, eq(applications.id, oidcClients.applicationId))
    .where(sql`${oidcClients.enabled} and ${applications.enabled} and ${applications.type} <> 'draft'`)

/** Returns when an application's service account last got a method, as far as the history goes back; null if never. */
export async function selectRightsSince(applicationId: string): Promise<Date | null> {
  const codes = (column: typeof history.previous | typeof history.current) =>
    sql`coalesce(nullif(${column}, 'null'), '[]')`
  const [before, after] = [codes(history.previous), codes(history.current)]
  const [row] = await db()
    .select({ date: history.date })
    .from(history)
    .where(
      and(
        eq(history.entity, 'applications'),
        eq(history.entityId, applicationId),
        eq(history.field, 'serviceMethods'),
        sql`(not ${before} @> ${after} or jsonb_array_length(${after}) > jsonb_array_length(${before}))`,
      ),
    )
    .orderBy(desc(history.id))
    .limit(1)
  return row?.date ?? null
}

/** Returns whether there is a client with this id. */
export const hasClient = async (clientId: string): Promise<boolean> =>
  (await db().$count(oidcClients, eq(oidcClients.clientId, clientId))) > 0

/** Returns a client and locks it; undefined when there is none. */
export async function lockClient(tx: Transaction, clientId: string) {
  const [row] = await tx.select().from(oidcClients).where(eq(oidcClients.clientId, clientId)).for('no key update')
  return row
}

export const storeClient = (tx: Transaction, id: string, values: Partial<typeof oidcClients.$inferInsert>) =>
  tx.update(oidcClients).set(values).where(eq(oidcClients.id, id))

/** Inserts a client; undefined when its id is taken. */
export async function insertClient(tx: Transaction, values: typeof oidcClients.$inferInsert) {
  const [row] = await tx
    .insert(oidcClients)
    .values(values)
    .onConflictDoNothing({ target: oidcClients.clientId })
    .returning({ id: oidcClients.id })
  return row
}

/** Deletes a client, and the grants and tokens that were issued to it. */
export async function removeClient(tx: Transaction, { id, clientId }: { id: string; clientId: string }) {
  await tx.delete(oidcRecords).where(eq(oidcRecords.clientId, clientId))
  await tx.delete(oidcClients).where(eq(oidcClients.id, id))
}

/** Returns the clients of an application, by name. */
export const selectClientsOf = (run: Database | Transaction, applicationId: string) =>
  run
    .select()
    .from(oidcClients)
    .where(eq(oidcClients.applicationId, applicationId))
    .orderBy(oidcClients.name, oidcClients.clientId)

const recordedSince = (id: string, field: string, since: Date) =>
  and(eq(history.entity, 'oidcClients'), eq(history.entityId, id), eq(history.field, field), gt(history.date, since))

/**
 * Counts the reuses of codes and tokens in a client's history since a moment: all, and those of this kind and person.
 */
export async function countReuses(
  tx: Transaction,
  { id, of: kind, userId }: { id: string; of: string; userId: string | null },
  since: Date,
) {
  const isSame = sql`current ->> 'of' = ${kind} and current ->> 'userId' is not distinct from ${userId}::text`
  const [row] = await tx
    .select({ all: sql<number>`count(*)::int`, same: sql<number>`(count(*) filter (where ${isSame}))::int` })
    .from(history)
    .where(recordedSince(id, 'reused', since))
  return row ?? { all: 0, same: 0 }
}

/** Returns whether a client's history has an event with this field since a moment. */
export const isRecordedSince = async (tx: Transaction, id: string, field: string, since: Date): Promise<boolean> =>
  (await tx.$count(history, recordedSince(id, field, since))) > 0

/** Returns the number of dead logout notices of each of these clients, with the time and the error of the last one. */
export const selectDeadLogouts = (clientIds: string[]) =>
  db()
    .select({
      clientId: oidcLogouts.clientId,
      count: sql<number>`count(*)::int`,
      at: sql<string>`to_char(max(${oidcLogouts.finishedAt}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      error: sql<string | null>`(array_agg(${oidcLogouts.error} order by ${oidcLogouts.finishedAt} desc))[1]`,
    })
    .from(oidcLogouts)
    .where(sql`${inArray(oidcLogouts.clientId, clientIds)} and ${oidcLogouts.status} = 'failed'`)
    .groupBy(oidcLogouts.clientId)
