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
  const methods = await heldMethods(userId, tx)
  return {
    methods: new Set(methods.flatMap(({ code, kind }) => (kind === 'systemic' ? [code] : []))),
    methodIds: new Set(methods.map(({ id }) => id)),
  }
}

/** Returns which of these methods the user holds. This is cheaper than reading all methods of the user. */
export const heldMethodIds = async (userId: string, ids: string[]): Promise<Set<string>> =>
  new Set(ids.length > 0 ? (await selectHeldMethodIds(userId, ids)).map(({ id }) => id) : [])
