import { eq, gte, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { cursorPage, type Keys } from '@/db/cursor'
import { countRows, paged } from '@/db/list'
import { providers, userIdentifiers, users } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'
import { signInLog } from '@/db/schema/sign-in-log'
import { canonicalIp } from '@/lib/base/limits/client-ip'
import { deleteInBatches } from '@/lib/base/postgres/batches'
import { dayBegins } from '@/lib/base/text/time-zone'
import type { IdAttribute } from '../attempts/contract'
import type { SignInInput } from './contract'

/** How many rows are counted. For more rows, the list says "more than". */
const countedAtMost = 1_000

/** A kind of identifier that a searched text can be, with its normalized value and its keyed hash. */
export type Typed = { kind: IdAttribute; value: string; digest: string }

/**
 * A condition: rows of the account that has one of these identifiers now, and rows without an account in which it was
 * typed.
 */
const ofTyped = (typed: readonly Typed[]) =>
  or(
    sql`false`,
    ...typed.flatMap(({ kind, value, digest }) => [
      eq(signInLog.digest, digest),
      sql`${signInLog.userId} = (select i.user_id from ${userIdentifiers} i where i.kind = ${kind} and i.value = ${value})`,
    ]),
  )

/** Up to how many rows with a flow are read before the list; with more, a page is full soon. */
export const readWhole = { rows: 2_000 }

const hasFlow = (flows: readonly string[]) => sql`${signInLog.flows} && ${sql.param([...flows])}::text[]`

/**
 * Returns the condition for the rows with one of these flows. Rare rows are found first: PostgreSQL overestimates them,
 * and would look for them in the whole log. It reads the materialized query only until there are enough.
 */
async function ofFlows(flows: readonly string[]): Promise<SQL> {
  const { rows } = await db().execute<{ id: string }>(sql`
    with matching as materialized (select ${signInLog.id} from ${signInLog} where ${hasFlow(flows)})
    select id from matching limit ${readWhole.rows + 1}`)
  return rows.length > readWhole.rows
    ? hasFlow(flows)
    : sql`${signInLog.id} = any(${sql.param(rows.map(({ id }) => id))}::uuid[])`
}

type ListContext = { typed: readonly Typed[]; timeZone: string; caller: string; pageSize: number | null }

/** Returns one page of the log. */
export async function selectSignIns(query: SignInInput, { typed, timeZone, caller, pageSize }: ListContext) {
  const ofFoundFlows = query.filter.flow && (await ofFlows(query.filter.flow))
  return cursorPage(
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
        success: (successful) => (successful ? isNull(signInLog.cause) : isNotNull(signInLog.cause)),
        cause: (causes) => inArray(signInLog.cause, causes),
        flow: () => ofFoundFlows,
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
}

/** Deletes rows from before `before`. */
export const deleteSignInsBefore = (before: Date) => deleteInBatches(signInLog, signInLog.at, lt(signInLog.at, before))
