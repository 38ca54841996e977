import { and, asc, count, desc, eq, gt, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { type Database, db, type Transaction } from '@/db/client'
import { countRows, paged, selectPage } from '@/db/list'
import { providers, userRoles, users } from '@/db/schema/people'
import { providerLinks, providerMappers, providerSyncs } from '@/db/schema/providers'
import { runRows, runs } from '@/db/schema/runs'
import { syncKind } from '@/lib/base/batch-jobs/kinds'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type * as calls from './contract'
import { type Loss, rolesCode } from './options'

type Run = Database | Transaction

/** Returns a synchronization with its provider; undefined if there is none. */
export async function selectSync(run: Run, id: string) {
  const [row] = await run
    .select({ sync: providerSyncs, provider: providers })
    .from(providerSyncs)
    .innerJoin(providers, eq(providers.id, providerSyncs.providerId))
    .where(eq(providerSyncs.id, id))
  return row
}

/**
 * Locks a synchronization and its provider, so that starts and changes wait for each other; undefined if there is none.
 */
export async function lockSync(tx: Transaction, where: { id: string } | { providerId: string }) {
  const condition = 'id' in where ? eq(providerSyncs.id, where.id) : eq(providerSyncs.providerId, where.providerId)
  const [row] = await tx
    .select({ sync: providerSyncs, provider: providers })
    .from(providerSyncs)
    .innerJoin(providers, eq(providers.id, providerSyncs.providerId))
    .where(condition)
    .orderBy(asc(providerSyncs.type))
    .for('no key update')
  return row
}

export const storeSync = (run: Run, id: string, values: Partial<typeof providerSyncs.$inferInsert>) =>
  run.update(providerSyncs).set(values).where(eq(providerSyncs.id, id))

/** Returns the enabled providers that have an enabled synchronization. */
export const selectScheduled = () =>
  db()
    .selectDistinct({ id: providers.id })
    .from(providers)
    .innerJoin(providerSyncs, eq(providerSyncs.providerId, providers.id))
    .where(and(providers.enabled, providerSyncs.enabled))

/** Returns the enabled mappers of a synchronization. */
export const selectUsedMappers = (syncId: string) =>
  db()
    .select()
    .from(providerMappers)
    .where(and(eq(providerMappers.syncId, syncId), providerMappers.enabled))
    .orderBy(asc(providerMappers.createdAt), asc(providerMappers.id))

/** Locks a person of a directory, so that their writes run one after another. */
export const lockPerson = (tx: Transaction, providerId: string, externalId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`directory ${providerId} ${externalId}`}, 0))`)

/** Locks several people, in an order that is the same for every transaction. */
export const lockPeople = (tx: Transaction, providerId: string, externalIds: readonly string[]) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`directory ${providerId} `} || id, 0))
    from (select unnest(${sql.param([...externalIds].sort())}::text[]) as id) wanted`)

/** Returns the accounts that a directory keeps, by these external ids. */
export async function selectAccounts(tx: Transaction, providerId: string, externalIds: readonly string[]) {
  const rows = await tx
    .select()
    .from(users)
    .where(and(eq(users.providerId, providerId), inArray(users.externalId, [...externalIds])))
  return new Map(rows.map((row) => [row.externalId ?? '', row]))
}

/** Returns those of these external ids that are linked to accounts which the directory doesn't keep. */
export async function selectLinked(tx: Transaction, providerId: string, externalIds: readonly string[]) {
  const rows = await tx
    .select({ externalId: providerLinks.externalId })
    .from(providerLinks)
    .where(and(eq(providerLinks.providerId, providerId), inArray(providerLinks.externalId, [...externalIds])))
  return new Set(rows.map(({ externalId }) => externalId))
}

/** Returns the id of the account that a directory keeps under an external id; null if there is none. */
export async function selectAccountId(tx: Transaction, providerId: string, externalId: string) {
  const [row] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.providerId, providerId), eq(users.externalId, externalId)))
  return row?.id ?? null
}

/** Returns whether an external id is linked to an account which the directory doesn't keep. */
export async function isLinked(tx: Transaction, providerId: string, externalId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: providerLinks.id })
    .from(providerLinks)
    .where(and(eq(providerLinks.providerId, providerId), eq(providerLinks.externalId, externalId)))
  return rows.length > 0
}

const externalIdOf = sql<string>`${runRows.input} ->> 'externalId'`

type RunScope = { runId: string; providerId: string; before: Date }
const isKnownAccount = ({ providerId, before }: RunScope) =>
  and(
    eq(users.providerId, providerId),
    eq(users.enabled, true),
    isNotNull(users.externalId),
    lt(users.createdAt, before),
  )

/** Returns how many enabled accounts a directory kept before a run. */
export const countKnownAccounts = async (tx: Transaction, scope: RunScope): Promise<number> =>
  (await tx.select({ count: count() }).from(users).where(isKnownAccount(scope)))[0]?.count ?? 0

/** Returns the enabled accounts of a directory that have no row in a run. */
export const selectGoneAccounts = (tx: Transaction, scope: RunScope) =>
  tx
    .select({ id: users.id, fio: users.fio, login: users.login, externalId: users.externalId })
    .from(users)
    .where(
      and(
        isKnownAccount(scope),
        sql`not exists (select from ${runRows} where ${runRows.runId} = ${scope.runId} and ${externalIdOf} = ${users.externalId})`,
      ),
    )
    .orderBy(asc(users.fio), asc(users.id))

/** Returns the row of a person that a run hasn't written yet; undefined if there is none. */
export async function selectWaitingRow(tx: Transaction, runId: string, externalId: string) {
  const [row] = await tx
    .select({ row: runRows.row, input: runRows.input })
    .from(runRows)
    .where(and(eq(runRows.runId, runId), sql`${externalIdOf} = ${externalId}`, eq(runRows.state, 'waiting')))
  return row
}

/** Notes in the row of a person that their value of a field has moved to another person, and that theirs is written. */
export const markMoved = (tx: Transaction, runId: string, row: number, code: string) =>
  tx
    .update(runRows)
    .set({
      input: sql`jsonb_set(${runRows.input}, '{moved}',
        coalesce(${runRows.input} -> 'moved', '[]') || ${JSON.stringify([code])}::jsonb)`,
    })
    .where(and(eq(runRows.runId, runId), eq(runRows.row, row), eq(runRows.state, 'waiting')))

/** Returns the current input of a row of a run. */
export async function selectInput(tx: Transaction, runId: string, row: number) {
  const [stored] = await tx
    .select({ input: runRows.input })
    .from(runRows)
    .where(and(eq(runRows.runId, runId), eq(runRows.row, row)))
  return stored?.input
}

/** SQL: whether an account has a value in a field, which is a column or a defined field. */
const isFilledIn = ({ code, base }: { code: string; base: boolean }) =>
  base
    ? sql`coalesce(${sql.identifier('users')}.${sql.identifier(snakeCase(code))}::text, '') <> ''`
    : sql`coalesce(${users.values} -> ${code}::text, 'null') not in ('null', '""', '[]')`
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Returns how many accounts would lose their value of each of these fields, and how many holders of these roles would
 * lose one (`rolesCode`), among the accounts that a run is about to write (docs/rules/providers.md#losses).
 */
export async function selectLosses(
  tx: Transaction,
  { runId, providerId }: { runId: string; providerId: string },
  { fields, roles }: { fields: readonly { code: string; base: boolean }[]; roles: readonly string[] },
): Promise<Loss[]> {
  const ofRun = sql`from ${runRows} join ${users}
    on ${users.providerId} = ${providerId} and ${users.externalId} = ${runRows.input} ->> 'externalId'
    where ${runRows.runId} = ${runId} and ${runRows.state} = 'waiting'`
  const losses: Loss[] = []
  const count = async (code: string, lost: SQL, having: SQL) => {
    const { rows } = await tx.execute<{ lost: number; having: number }>(
      sql`select count(*) filter (where ${lost})::int lost, count(*)::int as "having" ${ofRun} and ${having}`,
    )
    const [counts] = rows
    if (counts && counts.lost > 0) losses.push({ code, ...counts })
  }
  for (const field of fields) {
    // the directory sends one form of the name; the other form isn't lost
    const cleared = sql`${runRows.input} -> 'values' -> ${field.code}::text = 'null'`
    await count(field.code, cleared, isFilledIn(field))
  }
  if (roles.length > 0) {
    const heldRoles = sql`select from ${userRoles} where ${userRoles.userId} = ${users.id} and ${userRoles.organizationId} is null
      and ${userRoles.roleId} = any(${sql.param([...roles])}::uuid[])`
    const takenRoles = sql`exists (${heldRoles} and not ${runRows.input} -> 'roles' ? ${userRoles.roleId}::text)`
    await count(rolesCode, takenRoles, sql`exists (${heldRoles})`)
  }
  return losses
}

const waitingGone = (runId: string) =>
  and(eq(runRows.runId, runId), eq(runRows.state, 'waiting'), sql`${runRows.input} ? 'goneId'`)

/** Returns people who are gone and for whom the directory hasn't been asked one by one. */
export const selectUnconfirmed = (runId: string, limit: number) =>
  db()
    .select({ row: runRows.row, externalId: externalIdOf })
    .from(runRows)
    .where(and(waitingGone(runId), sql`not ${runRows.input} ? 'confirmed'`))
    .orderBy(asc(runRows.row))
    .limit(limit)

/** Marks rows of people who are gone as confirmed by the directory. */
export const confirmRows = (tx: Transaction, runId: string, rows: number[]) =>
  tx
    .update(runRows)
    .set({ input: sql`${runRows.input} || '{"confirmed": true}'` })
    .where(and(waitingGone(runId), inArray(runRows.row, rows)))

/**
 * Deletes rows of people who are gone from a run, all or these rows; their accounts stay as they are. Returns how many
 * were deleted.
 */
export async function dropGone(tx: Transaction, runId: string, rows?: number[]): Promise<number> {
  const { rowCount } = await tx
    .delete(runRows)
    .where(and(waitingGone(runId), rows ? inArray(runRows.row, rows) : undefined))
  const dropped = rowCount ?? 0
  await tx
    .update(runs)
    .set({ total: sql`${runs.total} - ${dropped}` })
    .where(eq(runs.id, runId))
  return dropped
}

/** Returns a run of a synchronization; undefined if there is none, also for a batch job of another kind. */
export async function selectSyncRun(run: Run, id: string) {
  const [row] = await run
    .select({ id: runs.id, subject: runs.subject, options: runs.options })
    .from(runs)
    .where(and(eq(runs.id, id), eq(runs.kind, syncKind)))
  return row
}

/** Returns the newest run of a synchronization, among its trials (`dry`) or among the others. */
export async function selectNewest(run: Run, syncId: string, dry: boolean) {
  const [row] = await run
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.kind, syncKind), eq(runs.subject, syncId), isDry(dry)))
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(1)
  return row
}

const isDry = (dry: boolean) => sql`coalesce((${runs.options} ->> 'dry')::boolean, false) = ${dry}`

/** Returns one page of the runs of a synchronization. */
export const selectRunPage = (
  syncId: string,
  query: ServiceInput<typeof calls.listProviderSyncHistory>['query'],
  pageSize: number | null,
) =>
  selectPage(
    query,
    pageSize,
    { sorts: { date: runs.createdAt }, tie: runs.id, filters: { dry: isDry } },
    {
      rows: (parts) =>
        paged(db().select({ id: runs.id, options: runs.options }).from(runs).$dynamic(), {
          ...parts,
          where: and(eq(runs.subject, syncId), eq(runs.kind, syncKind), parts.where),
        }),
      count: (where) => countRows(runs, and(eq(runs.subject, syncId), eq(runs.kind, syncKind), where)),
    },
  )

/** SQL: whether a row was done and a part of the person was left out. */
const isNoted = sql`(${runRows.state} = 'done' and coalesce(${runRows.input} -> 'notes', '[]') <> '[]')`

/** Returns how many people of a run were written in part. */
export const countNoted = async (tx: Transaction, runId: string): Promise<number> =>
  (
    await tx
      .select({ count: count() })
      .from(runRows)
      .where(and(eq(runRows.runId, runId), isNoted))
  )[0]?.count ?? 0

/** Returns rows of a run after this row that failed or were written in part; each of the two has its own index. */
export function selectFaultyRows(runId: string, after: number, limit: number) {
  const rows = (condition: SQL) =>
    db()
      .select({
        row: runRows.row,
        title: runRows.title,
        input: runRows.input,
        state: runRows.state,
        fault: runRows.fault,
        params: runRows.params,
      })
      .from(runRows)
      .where(and(eq(runRows.runId, runId), gt(runRows.row, after), condition))
      .orderBy(asc(runRows.row))
      .limit(limit)
  return unionAll(rows(eq(runRows.state, 'failed')), rows(isNoted))
    .orderBy(asc(runRows.row))
    .limit(limit)
}

/** Returns how many rows of these runs had each action, and how many of them were written in part. */
export const selectActions = (runIds: readonly string[]) =>
  db()
    .select({
      runId: runRows.runId,
      action: sql<string | null>`${runRows.input} ->> 'action'`,
      count: count(),
      noted: sql<number>`count(*) filter (where ${isNoted})::int`,
    })
    .from(runRows)
    .where(and(inArray(runRows.runId, [...runIds]), eq(runRows.state, 'done')))
    .groupBy(runRows.runId, sql`2`)

const action = sql<string>`case ${runRows.state} when 'waiting' then 'waiting' when 'failed' then 'failed'
  else coalesce(${runRows.input} ->> 'action', 'same') end`

/** Returns one page of the rows of a run. */
export const selectRowPage = (
  runId: string,
  query: ServiceInput<typeof calls.listProviderRunRows>['query'],
  pageSize: number | null,
) =>
  selectPage(
    query,
    pageSize,
    { sorts: { row: runRows.row }, tie: runRows.row, filters: { action: (value) => sql`${action} = ${value}` } },
    {
      rows: (parts) =>
        paged(
          db()
            .select({ row: runRows.row, title: runRows.title, input: runRows.input, action: action.as('action') })
            .from(runRows)
            .$dynamic(),
          { ...parts, where: and(eq(runRows.runId, runId), parts.where) },
        ),
      count: (where) => countRows(runRows, and(eq(runRows.runId, runId), where)),
    },
  )

/**
 * SQL: whether a run of a synchronization may be deleted. The newest run of each synchronization stays, because its
 * outcome is the state of the synchronization.
 */
export const isFormerSync = sql`(${runs.kind} = ${syncKind}
  and exists (select from ${runs} newer where newer.kind = ${runs.kind} and newer.subject = ${runs.subject}
    and (newer.created_at, newer.id) > (${runs.createdAt}, ${runs.id})
    and coalesce(newer.options ->> 'dry', 'false') = coalesce(${runs.options} ->> 'dry', 'false')))`
