import type { Ctx } from '@/lib/base/context/ctx'
import { hashPassword, verifyPassword } from '@/lib/base/crypto/password'
import { fieldError } from '@/lib/base/runtime/errors'
import type { SignInCause } from '../../log/causes'
import { SignInRefused } from '../../log/record'
import type { FactorAttempt } from '../factor'
import { countFailure, endFailures, failuresInRow } from '../queries'
import { subjectOf } from '../subject'
import { countPasswordEntry, forgivePasswordEntries } from './throttle'

/** The current password is also asked for outside of an attempt. */
type PasswordAttempt = Pick<FactorAttempt, 'account' | 'knownDevice' | 'failures'> & {
  state: Pick<FactorAttempt['state'], 'idAttribute' | 'identifier'>
}

/**
 * Deletes the account's wrong passwords after the right one. Returns false if the wrong passwords under `key` have
 * closed the flow in the meantime.
 */
async function clearFailures({ account, failures }: PasswordAttempt, key: string): Promise<boolean> {
  if (!account || Object.keys(failures).length === 0) return true
  return endFailures(account.id, key)
}

type Comparison = { inTime: boolean; open: boolean; known: boolean }

/** Returns why a password was refused, for the sign-in log. The answer doesn't say it. */
function causeOf(
  { account }: PasswordAttempt,
  { inTime, open: flowOpen, known: hasPassword }: Comparison,
): SignInCause {
  if (!account) return 'unknown'
  if (!inTime) return 'slowed'
  if (!flowOpen) return 'passwordClosed'
  return hasPassword ? 'wrongPassword' : 'noPassword'
}

/**
 * Proves the credentials flow. Every failure has the same answer, and costs one hash with or without an account. While
 * the account is slowed down, and after 100 wrong passwords in a row, the password isn't compared; the answer and the
 * work are those of a wrong password (docs/rules/passwords.md#wrong-passwords). Returns a stronger hash to store if the
 * current parameters are higher, else null. Throws 400 signInFailed, 429 tooManyAttempts.
 */
export async function provePassword(ctx: Ctx, attempt: PasswordAttempt, password: string | undefined) {
  if (!password) throw fieldError('password', 'errorEmpty')
  const { account, failures } = attempt
  const key = subjectOf(attempt)
  const inTime = await countPasswordEntry(attempt, ctx.ip)
  const open = (failures[key] ?? 0) < failuresInRow
  const compared = inTime && open
  const hash = compared && !account?.providerId ? (account?.passwordHash ?? null) : null
  const { right, rehash } = await verifyPassword(hash, password)
  if (right && (await clearFailures(attempt, key))) {
    await forgivePasswordEntries(attempt, ctx.ip)
    return rehash ? await hashPassword(password) : null
  }
  await countFailure(key, account?.id ?? null, compared ? 1 : 0, ctx.now())
  const cause = causeOf(attempt, { inTime, open, known: hash !== null })
  throw new SignInRefused(cause, 'signInFailed', { errorList: [{ field: 'password', code: 'signInFailed' }] })
}
