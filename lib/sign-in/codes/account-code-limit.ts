import { lt, sql } from 'drizzle-orm'
import { db, executePlanned } from '@/db/client'
import { wrongCodes } from '@/db/schema/entry'
import { deleteInBatches } from '@/lib/base/postgres/batches'
import { wrongByAccount } from './limits'

const dayAgo = (now: Date) => sql`${now}::timestamptz - interval '1 day'`
const monthAgo = (now: Date) => sql`${now}::timestamptz - interval '30 days'`

/**
 * Counts an entry as wrong before it is compared, so that parallel entries can't exceed the limits: it is one
 * statement, whose row lock makes the others wait. Returns false while the codes of the key are suspended.
 */
export async function countWrongEntry(key: string, now: Date): Promise<boolean> {
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

/** Removes the count of an entry that wasn't wrong. */
export const uncountWrongEntry = (key: string, now: Date) =>
  executePlanned(
    db(),
    sql`update ${wrongCodes} set entries = entries[:array_position(entries, ${now}::timestamptz) - 1]
      || entries[array_position(entries, ${now}::timestamptz) + 1:]
    where key = ${key} and ${now}::timestamptz = any (entries)`,
  )

/** Deletes entries that are too old for every limit. */
export const removeOldWrongCodes = () =>
  deleteInBatches(wrongCodes, wrongCodes.lastAt, lt(wrongCodes.lastAt, sql`now() - interval '30 days'`))
