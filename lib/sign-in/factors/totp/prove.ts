import { db } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { decrypt } from '@/lib/base/crypto/encryption'
import { addressLimits } from '@/lib/base/limits/address-limits'
import { returnPoints, takePoints } from '@/lib/base/limits/limits'
import { fieldError } from '@/lib/base/runtime/errors'
import { countUp } from '@/lib/base/runtime/metrics'
import { countWrongEntry, uncountWrongEntry } from '../../codes/account-code-limit'
import { wrongByAddress } from '../../codes/limits'
import { SignInRefused } from '../../log/record'
import type { FactorAttempt, Proof } from '../factor'
import { openPasswordFlow } from '../password/throttle'
import { removeRecoveryCode, selectAuthenticatorApp, spendTimeStep } from '../queries'
import { subjectOf } from '../subject'
import { addAuthenticatorApp, plainAppKey } from './apps'
import { recoveryCodeHash } from './recovery-codes'
import { newKey, stepOfCode } from './totp'

/** Returns the limits on wrong codes of authenticator apps of an address. */
export const appCodeLimits = (ip: string) => addressLimits('totp-wrong', ip, wrongByAddress)

/** The id of nobody, and a key that nobody has: for people without an app the work is the same. */
const nobody = { id: '00000000-0000-0000-0000-000000000000', key: newKey() }

/**
 * Uses up the time step of a right code of an account's app, or stores the app that the person sets up in this attempt.
 * Returns false for a wrong code, a used time step, and `userId` null.
 */
async function spendAppCode(ctx: Ctx, { id, state }: FactorAttempt, userId: string | null, code: string) {
  const app = await selectAuthenticatorApp(userId ?? nobody.id)
  const step = stepOfCode(app ? decrypt('factors', app.secret, app.userId) : nobody.key, code, ctx.now())
  if (userId === null) return false
  if (app) return step !== null && spendTimeStep(userId, step)
  if (!state.newKey || state.proven.length === 0) return false
  const key = plainAppKey(state.newKey, id)
  return db().transaction((tx) => addAuthenticatorApp(tx, ctx, userId, { key, code }))
}

/**
 * Proves the flow `totp` by a code of the authenticator app or, as the second factor, by a recovery code. Each is
 * accepted once. A wrong one counts against the limits of the account's codes and of the address before it is compared
 * (docs/rules/codes.md#limits). The right one also opens a password flow that wrong passwords have closed. Throws 400 with the fault of the field, 429 by address.
 */
export async function proveTotp(ctx: Ctx, attempt: FactorAttempt, { code, recoveryCode }: Proof): Promise<null> {
  const byRecoveryCode = Boolean(recoveryCode) && attempt.state.proven.length > 0
  const [field, typed] = byRecoveryCode ? ['recoveryCode', recoveryCode] : ['code', code]
  if (!typed) throw fieldError('code', 'errorEmpty')
  const { account, knownDevice } = attempt
  const now = ctx.now()
  const limits = knownDevice === null ? appCodeLimits(ctx.ip) : []
  if (limits.length > 0) await takePoints(...limits)
  const subject = subjectOf(attempt)
  const counted = await countWrongEntry(subject, now)
  // before the first proof, an account that signs in at a directory proves nothing here
  const proves = account?.enabled && (!account.atProvider || attempt.state.proven.length > 0)
  const userId = proves && counted ? account.id : null
  // a recovery code is asked for when the person is known
  const isRight = byRecoveryCode
    ? userId !== null && (await removeRecoveryCode(userId, recoveryCodeHash(userId, typed)))
    : await spendAppCode(ctx, attempt, userId, typed)
  countUp('platform_codes_total', { event: 'entered', outcome: isRight ? 'right' : counted ? 'wrong' : 'suspended' })
  if (isRight) {
    await uncountWrongEntry(subject, now)
    if (limits.length > 0) await returnPoints(...limits)
    if (account && Object.keys(attempt.failures).length > 0) await openPasswordFlow(db(), account.id)
    return null
  }
  const cause = account ? (account.enabled ? (counted ? 'wrongCode' : 'codesClosed') : 'disabled') : 'unknown'
  throw new SignInRefused(cause, 'errorCode', { errorList: [{ field, code: 'errorCode' }] })
}
