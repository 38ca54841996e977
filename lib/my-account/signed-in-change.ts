import { db, type Transaction } from '@/db/client'
import { lockEnabledAccount } from '@/lib/accounts/users/own'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { isSessionOpen } from '@/lib/sign-in/sessions/service'

/**
 * Locks the account of the signed-in person for a change of their factors. Throws 401 if it was disabled or the session
 * has ended meanwhile.
 */
export async function lockSignedIn(tx: Transaction, ctx: Ctx) {
  requireUser(ctx)
  await lockEnabledAccount(tx, ctx.user.id)
  if (!ctx.session || !(await isSessionOpen(tx, ctx.session.id))) throw new AppError(401)
}

/** Runs a change of the signed-in person's factors in a transaction. Throws what `lockSignedIn` throws. */
export const changingFactors = <T>(ctx: Ctx, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  db().transaction(async (tx) => {
    await lockSignedIn(tx, ctx)
    return work(tx)
  })
