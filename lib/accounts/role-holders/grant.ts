import type { Ctx } from '@/lib/base/context/ctx'
import { parseOrThrow } from '@/lib/base/http/read'
import { loginOf } from '@/lib/base/text/email'
import { HoldersInput } from './contract'
import { selectGrant } from './queries'
import { addHolders } from './service'

type Wanted = { login: string; role: string; organizationId?: string; contractorId?: string }

/**
 * Gives a role to the account with a login; the role is named by its code, its id or its name. Returns the role's name;
 * without `user` or `role` there is no such account, or not one such role. Throws as addHolders.
 */
export async function grantByLogin(ctx: Ctx, { login, role, ...place }: Wanted) {
  const found = await selectGrant(loginOf(login), role)
  if (!found.userId || !found.role) return { user: found.userId, role: found.role?.name ?? null }
  const body = parseOrThrow(HoldersInput, { users: [found.userId], ...place })
  await addHolders(ctx, { params: { id: found.role.id }, body })
  return { user: found.userId, role: found.role.name }
}
