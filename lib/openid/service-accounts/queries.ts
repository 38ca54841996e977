import { and, eq, inArray, sql } from 'drizzle-orm'
import { db, executePlanned, type Transaction } from '@/db/client'
import { newVersion } from '@/db/schema/columns'
import { applicationServiceMethods, oidcClients, oidcRecords } from '@/db/schema/oidc'
import { methods } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'

type Account = {
  client_id: string
  application_id: string
  methods: { id: string; code: string; kind: string }[]
}
/** `until`: when the token ends, in milliseconds. */
type Row = Account & { id_hash: string; payload: string; until: number }

const account = sql`c.client_id, a.id as application_id, coalesce((
        select json_agg(json_build_object('id', m.id, 'code', m.code, 'kind', m.kind))
        from ${applicationServiceMethods} sm join ${methods} m on m.id = sm.method_id
        where sm.application_id = a.id
      ), '[]') as methods`
const mayCall = sql`c.enabled and 'client_credentials' = any(c.grant_types)`
const isOn = sql`a.enabled and a.type <> 'draft'`
const isFrom = (ip: string | null) => sql`(cardinality(a.ip) = 0 or ${ip}::inet <<= any(a.ip))`

/**
 * Returns a valid token of client_credentials with the methods of its client's application, in one statement, so that
 * changes count at once. Null for any other token, and for a disallowed address.
 */
export async function selectServiceToken(idHash: string, ip: string | null, now: Date): Promise<Row | null> {
  const rows = await executePlanned<Row>(
    db(),
    sql`
    select r.id_hash, r.payload, (extract(epoch from r.expires_at) * 1000)::float8 as until, ${account}
    from ${oidcRecords} r
    join ${oidcClients} c on c.client_id = r.client_id and ${mayCall}
    join ${applications} a on a.id = c.application_id and ${isOn}
    where r.id_hash = ${idHash} and r.model = 'ClientCredentials' and r.expires_at > ${now}::timestamptz
      and r.consumed_at is null and ${isFrom(ip)}`,
  )
  return rows[0] ?? null
}

/**
 * Returns a client with its application and methods, as `selectServiceToken` does, but without a token; null if no
 * token of the client would be valid from this address.
 */
export async function selectServiceClient(tx: Transaction, clientId: string, ip: string | null) {
  const { rows } = await tx.execute<Account>(sql`
    select ${account} from ${oidcClients} c
    join ${applications} a on a.id = c.application_id and ${isOn}
    where c.client_id = ${clientId} and ${mayCall} and ${isFrom(ip)}`)
  return rows[0] ?? null
}

/** Returns whether a token still exists and is neither revoked nor used up. */
export async function isTokenThere(tx: Transaction, idHash: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`select from ${oidcRecords} where id_hash = ${idHash} and consumed_at is null`)
  return rows.length > 0
}

/** Returns the methods with these ids. */
export async function selectMethods(tx: Transaction, ids: string[]) {
  if (ids.length === 0) return []
  return tx
    .select({ id: methods.id, code: methods.code, kind: methods.kind })
    .from(methods)
    .where(inArray(methods.id, ids))
}

export async function storeServiceMethods(
  tx: Transaction,
  applicationId: string,
  { add, remove }: { add: string[]; remove: string[] },
) {
  if (remove.length > 0)
    await tx
      .delete(applicationServiceMethods)
      .where(
        and(
          eq(applicationServiceMethods.applicationId, applicationId),
          inArray(applicationServiceMethods.methodId, remove),
        ),
      )
  if (add.length > 0)
    await tx.insert(applicationServiceMethods).values(add.map((methodId) => ({ applicationId, methodId })))
  await tx.update(applications).set(newVersion).where(eq(applications.id, applicationId))
}
