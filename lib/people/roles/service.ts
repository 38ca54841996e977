import type { Database, Transaction } from '@/db/client'
import type { Method } from '@/lib/kernel/access'
import { withImplied } from '@/lib/kernel/access-methods'
import { methodsHeldAmong, methodsOf } from './queries'

/** Every method that a user holds, by a role or because it follows from another; as the transaction sees it if told. */
export async function heldMethods(userId: string, run?: Transaction | Database): Promise<Method[]> {
  const rows = await methodsOf(userId, run)
  const codes = withImplied(rows.flatMap(({ kind, held, code }) => (kind === 'systemic' && held ? [code] : [])))
  return rows.filter(({ code, kind, held }) => held || (kind === 'systemic' && codes.has(code)))
}

/**
 * What a user may do: codes of the systemic methods and ids of all methods that their systemic,
 * organizational and contractor roles carry, with what follows from them.
 */
export async function accessOf(userId: string): Promise<{ methods: Set<string>; methodIds: Set<string> }> {
  const held = await heldMethods(userId)
  return {
    methods: new Set(held.flatMap(({ code, kind }) => (kind === 'systemic' ? [code] : []))),
    methodIds: new Set(held.map(({ id }) => id)),
  }
}

/** Which of these methods of an application the user holds: far less to read than all that they may do. */
export const heldAmong = async (userId: string, ids: string[]): Promise<Set<string>> =>
  new Set(ids.length > 0 ? (await methodsHeldAmong(userId, ids)).map(({ id }) => id) : [])
