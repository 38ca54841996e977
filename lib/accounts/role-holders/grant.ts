import type { Ctx } from '@/lib/base/context/ctx'
import { parseOrThrow } from '@/lib/base/http/read'
import { loginOf } from '@/lib/base/text/email'
import { HoldersInput } from './contract'
import { selectUserAndRole } from './queries'
import { addHolders } from './service'

type RoleGrant = { login: string; role: string; organizationId?: string; contractorId?: string }

/**
 * Gives a role, named by its code, id or name, to the account with a login. Returns the account's id as `user` and the
 * role's name as `role`. `user` is null if there is no such account, `role` if no role or several roles match. Throws
 * as addHolders.
 */
export async function grantByLogin(ctx: Ctx, { login, role, ...place }: RoleGrant) {
  const ids = await selectUserAndRole(loginOf(login), role)
  if (!ids.userId || !ids.role) return { user: ids.userId, role: ids.role?.name ?? null }
  const body = parseOrThrow(HoldersInput, { users: [ids.userId], ...place })
  await addHolders(ctx, { params: { id: ids.role.id }, body })
  return { user: ids.userId, role: ids.role.name }
}
