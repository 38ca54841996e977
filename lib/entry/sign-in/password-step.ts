import { hashPassword, verifyPassword } from '@/lib/kernel/crypto/password'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, fieldError } from '@/lib/kernel/errors'
import type { Attempt } from './attempt'
import { endFailures, failuresInRow, noteFailure } from './queries'
import { subjectOf } from './subject'
import { countPasswordTry, forgivePasswordTries } from './throttle'

/** Whether the account's failures under `key` are over, now that the right password has come in time. */
async function endRow({ account, failures }: Attempt, key: string): Promise<boolean> {
  if (!account || Object.keys(failures).length === 0) return true
  return endFailures(account.id, key)
}

/**
 * The credentials flow: one answer for every cause of failure, and one hash's work for every account or none. A try
 * that comes while the account is slowed, or after 100 failures in a row, is answered like a wrong password, with the
 * same work, and isn't looked at (docs/rules/passwords.md#wrong-passwords). Gives a stronger hash to store when today's
 * parameters are higher. Throws 400 signInFailed, 429 tooManyAttempts.
 */
export async function provePassword(ctx: Ctx, attempt: Attempt, password: string | undefined) {
  if (!password) throw fieldError('password', 'errorEmpty')
  const { account, failures } = attempt
  const key = subjectOf(attempt)
  const inTime = await countPasswordTry(attempt, ctx.ip)
  const looked = inTime && (failures[key] ?? 0) < failuresInRow
  const known = looked && !account?.providerId ? (account?.passwordHash ?? null) : null
  const { right, rehash } = await verifyPassword(known, password)
  if (right && (await endRow(attempt, key))) {
    await forgivePasswordTries(attempt, ctx.ip)
    return rehash ? await hashPassword(password) : null
  }
  await noteFailure(key, account?.id ?? null, looked ? 1 : 0, ctx.now())
  throw new AppError(400, 'signInFailed', { errorList: [{ field: 'password', code: 'signInFailed' }] })
}
