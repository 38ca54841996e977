import { db } from '@/db/client'
import { sealingKeys } from '@/db/schema/operations'
import { namedKeys } from '@/lib/base/crypto/encryption'
import { clearKey, isSealing, marksOf, neededBy, sessionsSealedBy } from './registry'
import { stores } from './stores'

export type KeyReport = {
  id: string
  /** Whether it is the current key. */
  first: boolean
  /** Whether another process still seals with it. */
  sealing: boolean
  /** Number of values that couldn't be sealed again, or were added meanwhile. */
  needs: { what: string; many: number }[]
  /** The sessions whose cookies it sealed, and when the last of them expires. */
  sessions: { many: number; until: Date | null }
}
export type Resealed = { done: { what: string; many: number }[]; keys: KeyReport[] }

/**
 * Seals again with the first key every value that an older key sealed, and finds out which older keys are still needed.
 * It can run more than once, several times in parallel and under load. After an interruption the next run continues.
 */
export async function resealAll(batch = 500): Promise<Resealed> {
  const [first, ...older] = namedKeys()
  const marks = marksOf(older)
  const done: Resealed['done'] = []
  for (const { what, reseal } of older.length > 0 ? stores : []) done.push({ what, many: await reseal(marks, batch) })

  const rowsById = new Map((await db().select().from(sealingKeys)).map((row) => [row.id, row]))
  const keys: KeyReport[] = first
    ? [{ id: first.id, first: true, sealing: true, needs: [], sessions: { many: 0, until: null } }]
    : []
  for (const key of older) {
    const row = rowsById.get(key.id)
    const report = {
      id: key.id,
      first: false,
      sealing: row ? isSealing(row) : false,
      needs: await neededBy(marksOf([key])),
      sessions: await sessionsSealedBy(key.id),
    }
    if (report.needs.length === 0 && !report.sealing) await clearKey(key.id)
    keys.push(report)
  }
  return { done, keys }
}

/** Returns the line about a key for the operator. */
export function verdictOf({ id, first, sealing, needs, sessions: { many, until } }: KeyReport): string {
  if (first) return `${id} seals: it stays`
  if (sealing)
    return `${id} stays: a process that seals with it was alive in the last minutes; put the new key in front there and run this again`
  if (needs.length > 0)
    return `${id} stays: ${needs.map((need) => `${need.what} (${need.many})`).join(', ')} came meanwhile; run this again`
  if (many > 0 && until)
    return `${id} can go on ${until.toISOString()}, when the last of ${many} sessions runs out whose cookies it sealed (each is sealed anew when it is used); go earlier, it makes those people sign in again`
  return `${id} can go`
}
