import type { Transaction } from '@/db/client'
import { withImplied } from '@/lib/base/access/access-methods'
import type { Method } from '@/lib/base/context/access'
import { selectHeldMethodIds, selectMethods } from './queries'

/** Returns every method that a user holds, by a role or because another method implies it. */
async function heldMethods(userId: string, tx?: Transaction): Promise<Method[]> {
  const rows = await selectMethods(userId, tx)
  const codes = withImplied(rows.flatMap(({ kind, held, code }) => (kind === 'systemic' && held ? [code] : [])))
  return rows.filter(({ code, kind, held }) => held || (kind === 'systemic' && codes.has(code)))
}

/**
 * Returns what a user may do: the codes of the systemic methods and the ids of all methods that their systemic,
 * organizational and contractor roles include, with the methods that these imply.
 */
export async function accessOf(
  userId: string,
  tx?: Transaction,
): Promise<{ methods: Set<string>; methodIds: Set<string> }> {
  const held = await heldMethods(userId, tx)
  return {
    methods: new Set(held.flatMap(({ code, kind }) => (kind === 'systemic' ? [code] : []))),
    methodIds: new Set(held.map(({ id }) => id)),
  }
}

/** Returns those of an application's methods that the user holds; cheaper than reading all their methods. */
export const heldAmong = async (userId: string, ids: string[]): Promise<Set<string>> =>
  new Set(ids.length > 0 ? (await selectHeldMethodIds(userId, ids)).map(({ id }) => id) : [])
