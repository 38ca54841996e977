import { and, eq, gte, inArray, isNotNull, isNull, lt, lte, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { rolesInEffectWith } from '@/db/held-roles'
import { selectPage, wholeRows } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { rowsById } from '@/db/rows'
import { monitoringChecks, monitoringSlots, monitoringTurns } from '@/db/schema/monitoring'
import { applications } from '@/db/schema/platform'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { deleteInBatches } from '@/lib/base/postgres/batches'
import type { Check } from '@/lib/base/runtime/monitoring'
import type { listMonitoring } from './contract'
import type { Standing } from './state'

export type CheckRow = typeof monitoringChecks.$inferSelect
export type SlotRow = typeof monitoringSlots.$inferSelect
type ListInput = ServiceInput<typeof listMonitoring>['query']

/** Writes to the database without changing data, to check that it accepts writes. */
export const checkWritable = () => db().update(monitoringTurns).set({ id: true }).where(eq(monitoringTurns.id, true))

/** Returns the number of jobs that should have begun or ended this many seconds ago and are neither done nor dead. */
export async function countStuckJobs(seconds: number): Promise<number> {
  const limit = sql`now() - make_interval(secs => ${seconds})`
  const { rows } = await db().execute<{ stuck: number }>(sql`
    select count(*)::int as stuck from graphile_worker.jobs
    where attempts < max_attempts and run_at < ${limit} and (locked_at is null or locked_at < ${limit})`)
  return rows[0]?.stuck ?? 0
}

/** Host names that are reserved (RFC 2606): samples and demo data use them. */
const reservedHosts = '^https?://([^/:]+\\.)?(example|test|invalid)([:/]|$)'

/** Returns enabled applications with an address; a draft isn't available yet. */
export const selectApplicationsWithAddress = () =>
  db()
    .select({
      id: applications.id,
      code: applications.code,
      url: sql<string>`${applications.url}`,
      name: applications.name,
      nameEn: applications.nameEn,
      description: applications.description,
      descriptionEn: applications.descriptionEn,
    })
    .from(applications)
    .where(
      and(
        eq(applications.enabled, true),
        ne(applications.type, 'draft'),
        ne(applications.code, 'platform'),
        sql`${applications.url} ~ '^https?://' and ${applications.url} !~* ${reservedHosts}`,
      ),
    )

/**
 * Begins a turn if none has begun since `since` or, with `due`, if the next turn is due. Returns whether this call
 * began it.
 */
export async function beginTurn(now: Date, leaseLength: number, since: Date, due = false): Promise<boolean> {
  await db().insert(monitoringTurns).values({ nextAt: now }).onConflictDoNothing()
  const { startedAt, nextAt } = monitoringTurns
  const mayBegin = or(isNull(startedAt), lte(startedAt, since), due ? lte(nextAt, now) : undefined)
  const { rowCount } = await db()
    .update(monitoringTurns)
    .set({ startedAt: now, nextAt: new Date(now.getTime() + leaseLength) })
    .where(mayBegin)
  return (rowCount ?? 0) > 0
}

export const endTurn = (tx: Transaction, startedAt: Date, doneAt: Date, nextAt: Date) =>
  tx.update(monitoringTurns).set({ doneAt, nextAt }).where(eq(monitoringTurns.startedAt, startedAt))

export async function selectTurn() {
  const [row] = await db().select().from(monitoringTurns)
  return row
}

/** Stores the rows of the checks; with `all`, deletes the rows of other checks. */
export async function syncChecks(tx: Transaction, checks: readonly Check[], complete: boolean) {
  for (const { key, kind, critical, named, applicationId } of checks) {
    const values = {
      kind,
      critical,
      name: named?.name ?? '',
      nameEn: named?.nameEn ?? null,
      description: named?.description ?? '',
      descriptionEn: named?.descriptionEn ?? null,
      applicationId: applicationId ?? null,
    }
    // an application whose code changed is still the same check
    if (applicationId)
      await tx
        .update(monitoringChecks)
        .set({ key })
        .where(and(eq(monitoringChecks.applicationId, applicationId), ne(monitoringChecks.key, key)))
    await tx
      .insert(monitoringChecks)
      .values({ key, ...values })
      .onConflictDoUpdate({ target: monitoringChecks.key, set: values })
  }
  if (!complete) return
  const keys = checks.map(({ key }) => key)
  await tx.delete(monitoringChecks).where(keys.length > 0 ? notInArray(monitoringChecks.key, keys) : undefined)
}

/** Locks and returns the rows of checks, always in the same order. */
export const lockChecks = (tx: Transaction) =>
  tx.select().from(monitoringChecks).orderBy(monitoringChecks.key).for('update')

type Result = { at: Date; ms: number; stuck: number; connected: boolean; error: string | null }

/** Stores the status of a check and its result. */
export async function storeResult(
  tx: Transaction,
  { id, status }: CheckRow,
  { at, ms, stuck, connected, error }: Result,
  { status: newStatus, doubts, countedAt }: Standing,
) {
  const milliseconds = Math.round(ms)
  const failed = error === null ? 0 : 1
  await tx
    .update(monitoringChecks)
    .set({
      status: newStatus,
      connected,
      doubts,
      countedAt,
      checkedAt: at,
      stuckCount: stuck,
      latency: failed || !connected ? null : milliseconds,
      ...(failed ? { errorAt: at, lastError: error } : {}),
      ...(newStatus === status ? {} : { changedAt: at }),
    })
    .where(eq(monitoringChecks.id, id))
  // a check without a target has no percentage
  if (!connected) return
  const slot = new Date(Math.floor(at.getTime() / slotLength) * slotLength)
  const counts = {
    failures: failed,
    stuck: stuck > 0 ? 1 : 0,
    total: failed ? 0 : milliseconds,
    worst: failed ? 0 : milliseconds,
  }
  await tx
    .insert(monitoringSlots)
    .values({ checkId: id, at: slot, checks: 1, ...counts })
    .onConflictDoUpdate({
      target: [monitoringSlots.checkId, monitoringSlots.at],
      set: {
        checks: sql`${monitoringSlots.checks} + 1`,
        failures: sql`${monitoringSlots.failures} + excluded.failures`,
        stuck: sql`${monitoringSlots.stuck} + excluded.stuck`,
        total: sql`${monitoringSlots.total} + excluded.total`,
        worst: sql`greatest(${monitoringSlots.worst}, excluded.worst)`,
      },
    })
}

/** Milliseconds of a slot. */
export const slotLength = 30 * 60_000

/** Returns the people who see the state of the monitoring in the header. */
export async function selectHolders(tx: Transaction, codes: readonly string[]): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select distinct held.user_id as id from ${rolesInEffectWith(codes)} held`,
  )
  return rows.map(({ id }) => id)
}

/** Failing checks come before stuck ones, and critical ones before others. */
const severity: SQL = sql`(case when ${monitoringChecks.status} = 'down' then 20
  when ${monitoringChecks.stuckCount} > 0 then 10 else 0 end) + ${monitoringChecks.critical}`

/** Returns one page of the checks; names are sorted in the language of `locale`. */
export const selectChecks = (query: ListInput, pageSize: number | null, locale: string) =>
  selectPage(
    query,
    pageSize,
    {
      sorts: {
        status: severity,
        key: monitoringChecks.key,
        application: localNameColumn(monitoringChecks, locale),
        critical: monitoringChecks.critical,
        latency: monitoringChecks.latency,
        errorAt: monitoringChecks.errorAt,
      },
      tie: monitoringChecks.id,
      filters: {
        applications: (ids) => inArray(monitoringChecks.applicationId, ids),
        // a check without a target is neither up nor down
        status: (status) =>
          and(
            eq(monitoringChecks.status, status),
            or(ne(monitoringChecks.status, 'up'), eq(monitoringChecks.connected, true)),
          ),
        key: (text) => found(text, [monitoringChecks.key, monitoringChecks.name, monitoringChecks.nameEn]),
      },
    },
    wholeRows(monitoringChecks),
  )

/** Returns the slots of these checks from a moment on. */
export const selectSlots = (checkIds: readonly string[], since: Date): Promise<SlotRow[]> =>
  checkIds.length === 0
    ? Promise.resolve([])
    : db()
        .select()
        .from(monitoringSlots)
        .where(and(inArray(monitoringSlots.checkId, [...checkIds]), gte(monitoringSlots.at, since)))
        .orderBy(monitoringSlots.at)

export const checkRows = rowsById(monitoringChecks)

/** Returns the applications that are checked. */
export const selectCheckedApplications = (locale: string) =>
  db()
    .select({ id: applications.id, name: applications.name, nameEn: applications.nameEn })
    .from(applications)
    .innerJoin(monitoringChecks, eq(monitoringChecks.applicationId, applications.id))
    .where(isNotNull(monitoringChecks.applicationId))
    .orderBy(localNameColumn(applications, locale), applications.id)

/** Returns the number of checks, and how many of them are down or found something stuck. */
export async function countChecks() {
  const { rows } = await db().execute<{ total: number; down: number; stuck: number }>(sql`
    select count(*)::int as total, count(*) filter (where status = 'down')::int as down,
      count(*) filter (where status = 'up' and stuck_count > 0)::int as stuck
    from ${monitoringChecks}`)
  return rows[0] ?? { total: 0, down: 0, stuck: 0 }
}

/** Returns every check that has a target, for the metrics. */
export const selectStandings = () =>
  db()
    .select({
      key: monitoringChecks.key,
      kind: monitoringChecks.kind,
      critical: monitoringChecks.critical,
      status: monitoringChecks.status,
      stuckCount: monitoringChecks.stuckCount,
      latency: monitoringChecks.latency,
    })
    .from(monitoringChecks)
    .where(eq(monitoringChecks.connected, true))

/** Deletes slots from before a moment. */
export const deleteSlotsBefore = (before: Date) =>
  deleteInBatches(monitoringSlots, monitoringSlots.at, lt(monitoringSlots.at, before))
