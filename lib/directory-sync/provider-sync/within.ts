import type { Transaction } from '@/db/client'
import { exceedsIdentityProvider } from '@/db/prepared-accounts'
import { lockAdministered } from '@/lib/accounts/users/administer'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'

/** The provider of a run, and whether an administrator vouches for it. */
export type Source = { providerId: string; vouched: boolean }

/**
 * Throws 403 forbiddenUser for somebody who has more in administration than whoever the provider is the word of: an
 * administrator who starts a run doesn't lend them their rights (docs/rules/providers.md#who-vouches-for-a-provider).
 */
export async function requireWithin(tx: Transaction, userId: string, { providerId, vouched }: Source): Promise<void> {
  if (!vouched && (await exceedsIdentityProvider(tx, userId, providerId))) throw new AppError(403, 'forbiddenUser')
}

/** Locks an account for a change by a run. Throws as `lockAdministered` and `requireWithin`. */
export async function lockWithin(tx: Transaction, ctx: Ctx, userId: string, source: Source) {
  const account = await lockAdministered(tx, ctx, userId)
  await requireWithin(tx, userId, source)
  return account
}
