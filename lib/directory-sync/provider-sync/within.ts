import type { Transaction } from '@/db/client'
import { exceedsIdentityProvider } from '@/db/prepared-accounts'
import { lockAdministered } from '@/lib/accounts/users/administer'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'

/** The identity provider of a run, and whether an administrator vouches for it. */
export type RunProvider = { providerId: string; vouched: boolean }

/**
 * Throws 403 forbiddenUser for an account with methods that the provider's preparer lacks: the rights of an
 * administrator who starts a run don't pass to the preparer (docs/rules/providers.md#who-vouches-for-a-provider).
 */
export async function requireWithin(
  tx: Transaction,
  userId: string,
  { providerId, vouched }: RunProvider,
): Promise<void> {
  if (!vouched && (await exceedsIdentityProvider(tx, userId, providerId))) throw new AppError(403, 'forbiddenUser')
}

/** Locks an account for a change by a run. Throws what `lockAdministered` and `requireWithin` throw. */
export async function lockWithin(tx: Transaction, ctx: Ctx, userId: string, source: RunProvider) {
  const account = await lockAdministered(tx, ctx, userId)
  await requireWithin(tx, userId, source)
  return account
}
