import { sql } from 'drizzle-orm'
import { db, executePlanned } from '@/db/client'
import { wrongCodes } from '@/db/schema/entry'
import { wrongByAccount } from './limits'

const dayAgo = (now: Date) => sql`${now}::timestamptz - interval '1 day'`
const monthAgo = (now: Date) => sql`${now}::timestamptz - interval '30 days'`

/**
 * Counts an entry as wrong before it is looked at, so that of parallel ones no more than the limits pass: one
 * statement, whose row holds back the others. False when the key's codes rest.
 */
export async function reserveEntry(key: string, now: Date): Promise<boolean> {
  const rows = await executePlanned(
    db(),
    sql`insert into ${wrongCodes} as kept (key, entries, last_at) values (${key}, array[${now}::timestamptz], ${now}::timestamptz)
    on conflict (key) do update set last_at = excluded.last_at,
      entries = array(select entry from unnest(kept.entries) entry where entry > ${monthAgo(now)}) || excluded.entries
    where (select count(*) from unnest(kept.entries) entry where entry > ${dayAgo(now)}) < ${wrongByAccount.perDay}
      and (select count(*) from unnest(kept.entries) entry where entry > ${monthAgo(now)}) < ${wrongByAccount.perMonth}
    returning key`,
  )
  return rows.length > 0
}

/** Takes back what was counted of an entry that was no wrong one. */
export const releaseEntry = (key: string, now: Date) =>
  executePlanned(
    db(),
    sql`update ${wrongCodes} set entries = entries[:array_position(entries, ${now}::timestamptz) - 1]
      || entries[array_position(entries, ${now}::timestamptz) + 1:]
    where key = ${key} and ${now}::timestamptz = any (entries)`,
  )

/** Deletes what no limit counts any more. */
export const removeOldWrongCodes = () =>
  db().execute(sql`delete from ${wrongCodes} where last_at < now() - interval '30 days'`)
