import { inArray, type SQL, sql } from 'drizzle-orm'
import { type Database, executePlanned, type Transaction } from '@/db/client'
import { dailyCounters } from '@/db/schema/entry'
import type { MessageCounter } from '@/db/schema/operations'
import { keyedHash } from '@/lib/base/crypto/encryption'
import { AppError } from '@/lib/base/runtime/errors'
import { countUp } from '@/lib/base/runtime/metrics'

const day = 24 * 3600

/** Returns the counter of messages to a subject on this day. */
export const counterOf = (kind: string, subject: string, now: Date): MessageCounter => ({
  kind,
  key: keyedHash('identifiers', `${kind} ${subject}`),
  day: now.toISOString().slice(0, 10),
})

/**
 * Returns the error 429 codeDailyLimit if a subject is blocked now, else null. It counts nothing. A subject that was
 * blocked by a lower limit than the current one is no longer blocked.
 */
export async function dailyBlock(
  tx: Transaction | Database,
  kind: string,
  subject: string,
  limit: number,
  now: Date,
): Promise<AppError | null> {
  const { key } = counterOf(kind, subject, now)
  const [blocked] = await tx
    .select({ until: sql<Date | null>`max(${dailyCounters.blockedUntil})`.mapWith(dailyCounters.blockedUntil) })
    .from(dailyCounters)
    .where(
      sql`${dailyCounters.kind} = ${kind} and ${dailyCounters.key} = ${key} and ${dailyCounters.blockedUntil} > ${now}
        and ${dailyCounters.count} > ${limit}`,
    )
  return blocked?.until ? limitReached(blocked.until, now) : null
}

/**
 * Counts one message against the subject's daily limit. Above the limit it blocks the subject for 24 hours
 * (docs/rules/codes.md#limits). Returns the error 429 codeDailyLimit, else null. Throw the error after the commit,
 * which must store the block. `job` is `jobOf` a job that the same statement adds if the limit isn't reached.
 */
export async function countDaily(
  tx: Transaction | Database,
  kind: string,
  subject: string,
  limit: number,
  now: Date,
  job: SQL = sql`null`,
): Promise<AppError | null> {
  const { key, day: today } = counterOf(kind, subject, now)
  // the count of a blocked subject contains the refused message
  const increment = sql.raw('case when kept.blocked_until is null then 1 else 0 end')
  const [counter] = await executePlanned<{ until: number | null }>(
    tx,
    sql`with counted as (insert into ${dailyCounters} as kept (kind, key, day, count)
      select ${kind}, ${key}, ${today}::date, 1 where not exists (
        select 1 from ${dailyCounters} as other
        where other.kind = ${kind} and other.key = ${key} and other.blocked_until > ${now.toISOString()}::timestamptz
          and other.count > ${limit}::int)
      on conflict (kind, key, day) do update set count = kept.count + ${increment}, blocked_until = case
        when kept.count + ${increment} > ${limit}::int then ${new Date(now.getTime() + day * 1000).toISOString()}::timestamptz end
      returning extract(epoch from kept.blocked_until)::float8 as until),
      added as materialized (select ${job} from counted where until is null)
      select until, (select count(*) from added) from counted`,
  )
  if (!counter) return dailyBlock(tx, kind, subject, limit, now)
  return counter.until ? limitReached(new Date(counter.until * 1000), now) : null
}

/** A subject whose messages are counted daily, and their highest number. */
export type DailyLimit = { kind: string; subject: string; limit: number }

const keyOf = ({ kind, subject }: DailyLimit) => counterOf(kind, subject, new Date(0)).key

/** Returns for each subject until when it is blocked, or null, and how many messages of today weren't refused. */
export async function dailyBlocks<D extends DailyLimit>(
  database: Database | Transaction,
  limits: readonly D[],
  now: Date,
) {
  const keys = limits.map(keyOf)
  const rows = await database.select().from(dailyCounters).where(inArray(dailyCounters.key, keys))
  return limits.map((dailyLimit, index) => {
    const counters = rows.filter(({ kind, key }) => kind === dailyLimit.kind && key === keys[index])
    const blockEnds = counters.flatMap(({ count, blockedUntil }) =>
      blockedUntil && blockedUntil > now && count > dailyLimit.limit ? [blockedUntil.getTime()] : [],
    )
    const today = counters.find(({ day }) => day === now.toISOString().slice(0, 10))
    const refused = today?.blockedUntil ? 1 : 0
    return {
      ...dailyLimit,
      until: blockEnds.length > 0 ? new Date(Math.max(...blockEnds)) : null,
      sent: (today?.count ?? 0) - refused,
    }
  })
}

/** Deletes the counts of these subjects. */
export const removeDailyCounters = (tx: Transaction, limits: readonly DailyLimit[]) =>
  tx.delete(dailyCounters).where(inArray(dailyCounters.key, limits.map(keyOf)))

function limitReached(until: Date, now: Date): AppError {
  countUp('platform_limited_total', { limit: 'code-daily' })
  return new AppError(429, 'codeDailyLimit', {}, Math.ceil((until.getTime() - now.getTime()) / 1000))
}
