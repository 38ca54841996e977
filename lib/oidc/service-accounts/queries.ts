import { and, eq, inArray, sql } from 'drizzle-orm'
import { db, executePlanned, type Transaction } from '@/db/client'
import { applicationServiceMethods, oidcClients, oidcRecords } from '@/db/schema/oidc'
import { methods } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'

type Row = {
  id_hash: string
  payload: string
  client_id: string
  application_id: string
  methods: string[]
}

/**
 * A token of client_credentials that holds now, with what its client's application may do: one statement, so that
 * whatever was changed or disabled counts at once. Null for any other token, and from an address that isn't allowed.
 */
export async function findServiceToken(idHash: string, ip: string | null, now: Date): Promise<Row | null> {
  const rows = await executePlanned<Row>(
    db(),
    sql`
    select r.id_hash, r.payload, c.client_id, a.id as application_id, array(
        select m.code from ${applicationServiceMethods} sm join ${methods} m on m.id = sm.method_id
        where sm.application_id = a.id and m.kind = 'systemic'
      ) as methods
    from ${oidcRecords} r
    join ${oidcClients} c on c.client_id = r.client_id and c.enabled and 'client_credentials' = any(c.grant_types)
    join ${applications} a on a.id = c.application_id and a.enabled and a.type <> 'draft'
    where r.id_hash = ${idHash} and r.model = 'ClientCredentials' and r.expires_at > ${now}::timestamptz
      and r.consumed_at is null and (cardinality(a.ip) = 0 or ${ip}::inet <<= any(a.ip))`,
  )
  return rows[0] ?? null
}

/** Of these ids, the systemic methods. */
export async function systemicMethodRows(tx: Transaction, ids: string[]) {
  if (ids.length === 0) return []
  return tx
    .select({ id: methods.id, code: methods.code })
    .from(methods)
    .where(and(eq(methods.kind, 'systemic'), inArray(methods.id, ids)))
}

export async function replaceServiceMethods(
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
}
