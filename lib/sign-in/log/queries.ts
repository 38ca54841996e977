import { type SQL, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, type Transaction } from '@/db/client'
import { oidcClients } from '@/db/schema/oidc'
import { signInLog } from '@/db/schema/sign-in-log'
import type { IdAttributeName } from '@/lib/base/context/ctx'

/**
 * How many rows that differ only by provider or reason are logged for an address and a cause in a minute: the address
 * may invent these.
 */
const mostReasons = 5

type Circumstances = {
  at: Date
  ip: string
  browser: string
  system: string
  deviceType: string
  clientId: string | null
}
type Failure = Circumstances & {
  userId: string | null
  idAttribute: IdAttributeName | null
  digest: string | null
  mask: string | null
  flow: string | null
  cause: string
  reason: string | null
  providerId: string | null
  /** Whether to skip the row if the same one was logged within a minute. */
  once: boolean
}
type Success = Circumstances & {
  userId: string
  idAttribute: IdAttributeName | null
  flows: string[]
  providerId: string | null
} & {
  /** The data of the person that was left out of the account. */
  reason: string | null
}

/** A condition on rows `l` of the last minute that differ from this row at most by provider and reason. */
const isAlike = (row: Failure) => sql`l.ip = ${row.ip} and l.at > ${row.at}::timestamptz - interval '1 minute'
  and l.cause = ${row.cause} and l.user_id is not distinct from ${row.userId}::uuid
  and l.digest is not distinct from ${row.digest}::text`

const application = (clientId: string | null) =>
  sql`(select c.application_id from ${oidcClients} c where c.client_id = ${clientId}::text)`

/** Stores a refused step. The statement has the same form for accounts and for identifiers without an account. */
export const insertFailure = (row: Failure, database: Database | Transaction = db()) =>
  executePlanned(
    database,
    sql`insert into ${signInLog} (at, user_id, id_attribute, digest, mask, flows, cause, reason, provider_id, application_id,
        ip, browser, system, device_type)
      select ${row.at}::timestamptz, ${row.userId}::uuid, ${row.idAttribute}::text, ${row.digest}::text, ${row.mask}::text,
        array_remove(array[${row.flow}]::text[], null), ${row.cause}, ${row.reason}::text, ${row.providerId}::uuid,
        ${application(row.clientId)}, ${row.ip}, ${row.browser}, ${row.system}, ${row.deviceType}
      where not ${row.once}::boolean or not exists (
        select from ${signInLog} l where ${isAlike(row)} and l.reason is not distinct from ${row.reason}::text
          and l.provider_id is not distinct from ${row.providerId}::uuid
      ) and (coalesce(${row.reason}::text, ${row.providerId}::text) is null
        or (select count(*) from ${signInLog} l where ${isAlike(row)}) < ${mostReasons})`,
  )

/** Returns the statement that stores a successful sign-in if the CTE named `cte` has a row. */
export const insertSuccessFrom = (cte: string, row: Success): SQL =>
  sql`insert into ${signInLog} (at, user_id, id_attribute, flows, provider_id, reason, application_id, ip, browser, system,
      device_type)
    select ${row.at}::timestamptz, ${row.userId}::uuid, ${row.idAttribute}::text,
      array(select jsonb_array_elements_text(${JSON.stringify(row.flows)}::jsonb)), ${row.providerId}::uuid, ${row.reason}::text, ${application(row.clientId)},
      ${row.ip}, ${row.browser}, ${row.system}, ${row.deviceType}
    from ${sql.identifier(cte)}`
