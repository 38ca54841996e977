import type { Transaction } from '@/db/client'
import { methodsNotHeld } from '@/lib/access/rights/service'
import { lockUsedMethods } from '@/lib/applications/applications/manage'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'

/**
 * Throws 403 with `code` if a role or a service account has a method of a locked application that the caller may not
 * take. Nobody gets such a method until the commit (docs/rules/access.md#applications).
 */
export async function requireUsedMethodsHeld(
  tx: Transaction,
  ctx: Ctx,
  applicationId: string,
  code: 'forbiddenMethods' | 'forbiddenClient',
): Promise<void> {
  const methods = await lockUsedMethods(tx, applicationId)
  if (methods.length > 0 && (await methodsNotHeld(tx, ctx, { methods }, 1)).length > 0) throw new AppError(403, code)
}
