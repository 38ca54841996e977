import { withImplied } from '@/lib/kernel/access-methods'
import { methodsHeldAmong, methodsOf } from './queries'

/**
 * What a user may do: codes of the systemic methods and ids of all methods that their systemic,
 * organizational and contractor roles carry, with what follows from them.
 */
export async function accessOf(userId: string): Promise<{ methods: Set<string>; methodIds: Set<string> }> {
  const rows = await methodsOf(userId)
  const systemic = rows.filter(({ kind }) => kind === 'systemic')
  const codes = withImplied(systemic.filter(({ held }) => held).map(({ code }) => code))
  const methodIds = new Set<string>()
  for (const { id, code, kind, held } of rows) if (held || (kind === 'systemic' && codes.has(code))) methodIds.add(id)
  return { methods: codes, methodIds }
}

/** Which of these methods of an application the user holds: far less to read than all that they may do. */
export const heldAmong = async (userId: string, ids: string[]): Promise<Set<string>> =>
  new Set(ids.length > 0 ? (await methodsHeldAmong(userId, ids)).map(({ id }) => id) : [])
