import { type SQL, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, type Transaction } from '@/db/client'
import { oidcClients } from '@/db/schema/oidc'
import { signInLog } from '@/db/schema/sign-in-log'
import type { IdAttributeName } from '@/lib/base/context/ctx'

/** How many rows of a cause that differ by provider or reason are logged of an address in a minute: it may invent them. */
const mostReasons = 5

type From = { at: Date; ip: string; browser: string; system: string; deviceType: string; clientId: string | null }
type Failure = From & {
  userId: string | null
  idAttribute: IdAttributeName | null
  digest: string | null
  mask: string | null
  flow: string | null
  cause: string
  reason: string | null
  providerId: string | null
  /** Only if the same hasn't been logged within a minute, nor too much that is like it. */
  once: boolean
}
type Success = From & {
  userId: string
  idAttribute: IdAttributeName | null
  flows: string[]
  providerId: string | null
} & {
  /** What of the person was left out. */
  reason: string | null
}

/** A condition on rows `l` of the last minute that are like this one but for provider and reason. */
const isAlike = (row: Failure) => sql`l.ip = ${row.ip} and l.at > ${row.at}::timestamptz - interval '1 minute'
  and l.cause = ${row.cause} and l.user_id is not distinct from ${row.userId}::uuid
  and l.digest is not distinct from ${row.digest}::text`

const application = (clientId: string | null) =>
  sql`(select c.application_id from ${oidcClients} c where c.client_id = ${clientId}::text)`

/** Stores a refused step; one statement of the same form for accounts and for identifiers without one. */
export const insertFailure = (row: Failure, run: Database | Transaction = db()) =>
  executePlanned(
    run,
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

/** The statement that stores a success if the CTE `from` has a row. */
export const insertSuccessFrom = (from: string, row: Success): SQL =>
  sql`insert into ${signInLog} (at, user_id, id_attribute, flows, provider_id, reason, application_id, ip, browser, system,
      device_type)
    select ${row.at}::timestamptz, ${row.userId}::uuid, ${row.idAttribute}::text,
      array(select jsonb_array_elements_text(${JSON.stringify(row.flows)}::jsonb)), ${row.providerId}::uuid, ${row.reason}::text, ${application(row.clientId)},
      ${row.ip}, ${row.browser}, ${row.system}, ${row.deviceType}
    from ${sql.identifier(from)}`
