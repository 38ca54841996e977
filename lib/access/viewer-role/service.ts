import type { SystemicMethod } from '@/lib/base/access/access-methods'
import { selectRolesWith } from './queries'

/** Returns the name of the one systemic role by which a person holds a method; null if there is none, or several. */
export async function roleThatGives(userId: string, method: SystemicMethod, locale: string): Promise<string | null> {
  const [role, another] = await selectRolesWith(userId, method, locale)
  return role && !another ? role.name : null
}
