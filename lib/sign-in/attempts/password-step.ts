import type { Ctx } from '@/lib/base/context/ctx'
import { hashPassword, verifyPassword } from '@/lib/base/crypto/password'
import { fieldError } from '@/lib/base/runtime/errors'
import type { SignInCause } from '../log/causes'
import { Refused } from '../log/record'
import type { Attempt } from './attempt'
import { countFailure, endFailures, failuresInRow } from './queries'
import { subjectOf, type Tried } from './subject'
import { countPasswordTry, forgivePasswordTries } from './throttle'

type Proving = Tried & Pick<Attempt, 'account' | 'failures'>

/**
 * Deletes the account's failures after the right password. False if those under `key` have closed the flow meanwhile.
 */
async function endRow({ account, failures }: Proving, key: string): Promise<boolean> {
  if (!account || Object.keys(failures).length === 0) return true
  return endFailures(account.id, key)
}

type Looked = { inTime: boolean; open: boolean; known: boolean }

/** Why a password was refused, for the log; the answer doesn't say. */
function causeOf({ account }: Proving, { inTime, open, known }: Looked): SignInCause {
  if (!account) return 'unknown'
  if (!inTime) return 'slowed'
  if (!open) return 'passwordClosed'
  return known ? 'wrongPassword' : 'noPassword'
}

/**
 * The credentials flow: the same answer for every cause of failure, and the work of one hash with or without an
 * account. While the account is slowed down, and after 100 failures in a row, the password isn't compared; answer and
 * work are those of a wrong password (docs/rules/passwords.md#wrong-passwords). Returns a stronger hash to store if the
 * current parameters are higher, else null. Throws 400 signInFailed, 429 tooManyAttempts.
 */
export async function provePassword(ctx: Ctx, attempt: Proving, password: string | undefined) {
  if (!password) throw fieldError('password', 'errorEmpty')
  const { account, failures } = attempt
  const key = subjectOf(attempt)
  const inTime = await countPasswordTry(attempt, ctx.ip)
  const open = (failures[key] ?? 0) < failuresInRow
  const looked = inTime && open
  const known = looked && !account?.providerId ? (account?.passwordHash ?? null) : null
  const { right, rehash } = await verifyPassword(known, password)
  if (right && (await endRow(attempt, key))) {
    await forgivePasswordTries(attempt, ctx.ip)
    return rehash ? await hashPassword(password) : null
  }
  await countFailure(key, account?.id ?? null, looked ? 1 : 0, ctx.now())
  const cause = causeOf(attempt, { inTime, open, known: known !== null })
  throw new Refused(cause, 'signInFailed', { errorList: [{ field: 'password', code: 'signInFailed' }] })
}
