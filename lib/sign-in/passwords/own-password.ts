import { db } from '@/db/client'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { hashPassword } from '@/lib/base/crypto/password'
import { AppError, type FieldError, notFound } from '@/lib/base/runtime/errors'
import { forgetPasswordEntries } from '../factors/password/throttle'
import { mailOwner } from '../mail-owner'
import { deviceHashOf } from '../sessions/service'
import { newPasswordFaults } from './policy'
import { lockAccount, type PasswordAccount, selectPasswordAccount } from './queries'
import { countNewPassword } from './recovery-limits'
import { replacePassword } from './replace'

/**
 * Returns the account of the signed-in person with its password hash. Throws 401, and 405 directoryAccount for an
 * account of a directory.
 */
export async function ownPasswordAccount(ctx: Ctx): Promise<PasswordAccount> {
  requireUser(ctx)
  const account = await selectPasswordAccount(ctx.user.id)
  if (!account) throw notFound()
  if (account.providerId) throw new AppError(405, 'directoryAccount')
  return account
}

/** Returns whether the signed-in person has a password of the platform. Throws 401. */
export async function hasOwnPassword(ctx: Ctx): Promise<boolean> {
  requireUser(ctx)
  const account = await selectPasswordAccount(ctx.user.id)
  return account !== null && account.providerId === null && account.passwordHash !== null
}

/** Returns the faults of a new password of the signed-in person, under the names of the profile's form. Throws 429. */
export async function ownPasswordFaults(
  ctx: Ctx,
  input: { password: string; rePassword: string },
): Promise<FieldError[]> {
  await countNewPassword(ctx.ip)
  const { password, rePassword: repeatPassword } = input
  const faults = await newPasswordFaults(ctx, { password, repeatPassword, userId: ctx.user?.id ?? null })
  return faults.map((fault) => (fault.field === 'repeatPassword' ? { ...fault, field: 'rePassword' } : fault))
}

/**
 * Stores a new password of the signed-in person, who has proven who they are. Ends every other session of theirs, and
 * mails them. Throws 409 if another request has changed the password since the account was read.
 */
export async function storeOwnPassword(ctx: Ctx, account: PasswordAccount, password: string): Promise<void> {
  const passwordHash = await hashPassword(password)
  const afterCommit = await db().transaction(async (tx) => {
    await lockAccount(tx, account.id)
    const current = await selectPasswordAccount(account.id, tx)
    if (current?.passwordHash !== account.passwordHash || current.providerId) throw new AppError(409)
    if (!current.enabled) throw new AppError(401)
    const exceptions = { keptAttempt: null, keptSession: ctx.session?.id }
    const afterReplacing = await replacePassword(tx, ctx, current, { passwordHash, ...exceptions })
    await mailOwner(tx, ctx, current)
    return afterReplacing
  })
  await afterCommit()
  await forgetPasswordEntries(account, deviceHashOf(ctx))
}
