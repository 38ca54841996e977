import { inArray, sql } from 'drizzle-orm'
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
 * Returns the 429 codeDailyLimit of a subject that is blocked now, else null. Counts nothing. Whoever was blocked by a
 * lower limit than that of now isn't any more.
 */
export async function dailyBlock(
  tx: Transaction,
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
 * Counts one message against the subject's daily limit. Above the limit the subject is blocked for 24 hours
 * (docs/rules/codes.md#limits). Returns the 429 codeDailyLimit, else null. Throw it after the commit, which must store
 * the block.
 */
export async function countDaily(
  tx: Transaction,
  kind: string,
  subject: string,
  limit: number,
  now: Date,
): Promise<AppError | null> {
  const { key, day: today } = counterOf(kind, subject, now)
  // a blocked count contains the message that was refused
  const once = sql.raw('case when kept.blocked_until is null then 1 else 0 end')
  const [counted] = await executePlanned<{ until: number | null }>(
    tx,
    sql`insert into ${dailyCounters} as kept (kind, key, day, count)
      select ${kind}, ${key}, ${today}::date, 1 where not exists (
        select 1 from ${dailyCounters} as other
        where other.kind = ${kind} and other.key = ${key} and other.blocked_until > ${now.toISOString()}::timestamptz
          and other.count > ${limit}::int)
      on conflict (kind, key, day) do update set count = kept.count + ${once}, blocked_until = case
        when kept.count + ${once} > ${limit}::int then ${new Date(now.getTime() + day * 1000).toISOString()}::timestamptz end
      returning extract(epoch from kept.blocked_until)::float8 as until`,
  )
  if (!counted) return dailyBlock(tx, kind, subject, limit, now)
  return counted.until ? limitReached(new Date(counted.until * 1000), now) : null
}

/** What is counted daily, and up to which number. */
export type Daily = { kind: string; subject: string; limit: number }

const keyOf = ({ kind, subject }: Daily) => counterOf(kind, subject, new Date(0)).key

/** Returns until when each of these is blocked, null if it isn't, and how many of today weren't refused. */
export async function dailyStops<D extends Daily>(run: Database | Transaction, counted: readonly D[], now: Date) {
  const keys = counted.map(keyOf)
  const rows = await run.select().from(dailyCounters).where(inArray(dailyCounters.key, keys))
  return counted.map((one, n) => {
    const own = rows.filter(({ kind, key }) => kind === one.kind && key === keys[n])
    const ends = own.flatMap(({ count, blockedUntil }) =>
      blockedUntil && blockedUntil > now && count > one.limit ? [blockedUntil.getTime()] : [],
    )
    const today = own.find(({ day }) => day === now.toISOString().slice(0, 10))
    const refused = today?.blockedUntil ? 1 : 0
    return { ...one, until: ends.length > 0 ? new Date(Math.max(...ends)) : null, sent: (today?.count ?? 0) - refused }
  })
}

/** Forgets what was counted of these. */
export const forgetDaily = (tx: Transaction, counted: readonly Daily[]) =>
  tx.delete(dailyCounters).where(inArray(dailyCounters.key, counted.map(keyOf)))

function limitReached(until: Date, now: Date): AppError {
  countUp('platform_limited_total', { limit: 'code-daily' })
  return new AppError(429, 'codeDailyLimit', {}, Math.ceil((until.getTime() - now.getTime()) / 1000))
}
