import { eq, gte, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, type Transaction } from '@/db/client'
import { cursorPage, type Keys } from '@/db/cursor'
import { countRows, paged } from '@/db/list'
import { oidcClients } from '@/db/schema/oidc'
import { providers, userIdentifiers, users } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'
import { signInLog } from '@/db/schema/sign-in-log'
import { deleteInBatches } from '@/lib/kernel/batches'
import { canonicalIp } from '@/lib/kernel/client-ip'
import { dayBegins } from '@/lib/kernel/time-zone'
import type { IdAttribute } from '../sign-in/contract'
import type { SignInInput } from './contract'

/** Above it the list says "more than". */
const countedAtMost = 1_000

/** How many rows of a cause that differ by provider or reason are logged of an address in a minute: it may invent them. */
const mostReasons = 5

type From = { at: Date; ip: string; browser: string; system: string; deviceType: string; clientId: string | null }
type Failure = From & {
  userId: string | null
  idAttribute: IdAttribute | null
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
  idAttribute: IdAttribute | null
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

/** Identifiers as they may be stored: each kind that the text can be, and its keyed hash. */
export type Typed = { kind: IdAttribute; value: string; digest: string }

/** Rows of the account that has such an identifier now, and those without an account in which it was typed. */
const ofTyped = (typed: readonly Typed[]) =>
  or(
    sql`false`,
    ...typed.flatMap(({ kind, value, digest }) => [
      eq(signInLog.digest, digest),
      sql`${signInLog.userId} = (select i.user_id from ${userIdentifiers} i where i.kind = ${kind} and i.value = ${value})`,
    ]),
  )

type Reading = { typed: readonly Typed[]; timeZone: string; caller: string; pageSize: number | null }

/** Returns one page of the log. */
export const selectSignIns = (query: SignInInput, { typed, timeZone, caller, pageSize }: Reading) =>
  cursorPage(
    query,
    pageSize,
    {
      list: 'sign-ins',
      caller,
      sorts: { date: signInLog.at },
      tie: signInLog.id,
      total: countedAtMost,
      filters: {
        search: () => ofTyped(typed),
        userId: (id) => eq(signInLog.userId, id),
        success: (wanted) => (wanted ? isNull(signInLog.cause) : isNotNull(signInLog.cause)),
        cause: (causes) => inArray(signInLog.cause, causes),
        flow: (flows) =>
          sql`${signInLog.flows} && array[${sql.join(
            flows.map((flow) => sql`${flow}`),
            sql`, `,
          )}]::text[]`,
        providerId: (id) => eq(signInLog.providerId, id),
        ip: (ip) => eq(signInLog.ip, canonicalIp(ip) ?? ip),
        dateFrom: (day) => gte(signInLog.at, dayBegins(day, timeZone)),
        dateTo: (day) => lt(signInLog.at, dayBegins(day, timeZone, 1)),
      },
    },
    {
      rows: ({ keys, ...parts }) =>
        paged(
          db()
            .select({
              id: signInLog.id,
              at: signInLog.at,
              cause: signInLog.cause,
              reason: signInLog.reason,
              flows: signInLog.flows,
              idAttribute: signInLog.idAttribute,
              mask: signInLog.mask,
              userId: signInLog.userId,
              userName: sql<string | null>`coalesce(nullif(${users.fio}, ''), ${users.login})`.as('user_name'),
              providerId: signInLog.providerId,
              providerName: providers.name,
              applicationId: applications.id,
              applicationName: applications.name,
              applicationNameEn: applications.nameEn,
              ip: signInLog.ip,
              browser: signInLog.browser,
              system: signInLog.system,
              deviceType: signInLog.deviceType,
              keys: sql<Keys>`${keys}`.as('keys'),
            })
            .from(signInLog)
            .leftJoin(users, eq(users.id, signInLog.userId))
            .leftJoin(providers, eq(providers.id, signInLog.providerId))
            .leftJoin(applications, eq(applications.id, signInLog.applicationId))
            .$dynamic(),
          parts,
        ),
      count: (where, atMost) => countRows(signInLog, where, atMost),
    },
  )

/** Deletes rows from before a moment. */
export const deleteSignInsBefore = (before: Date) => deleteInBatches(signInLog, signInLog.at, lt(signInLog.at, before))
