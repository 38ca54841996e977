import { db } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { SignInRefused } from '../../log/record'
import type { FactorAttempt, Proof, ToStore } from '../factor'
import { openPasswordFlow } from '../password/throttle'
import { subjectOf } from '../subject'
import { plainAppKey, spendRecoveryCode } from './apps'
import { enterAppCode, spendAppCode } from './entry'
import { stepOfCode } from './totp'

type NewApp = { encryptedKey: string }

/**
 * Returns the key in base32 of the app that is set up in an attempt. Returns null if it can't be read, because its
 * encryption key is gone.
 */
export function readableKey(attemptId: string, { encryptedKey }: NewApp): string | null {
  try {
    return plainAppKey(encryptedKey, attemptId)
  } catch {
    return null
  }
}

const attemptExpired = () => new AppError(400, 'attemptExpired', { expired: true })

/** Returns the same key. Throws 400 attemptExpired if it can't be read: another attempt has another one. */
export function keyOfNewApp(attemptId: string, newApp: NewApp): string {
  const key = readableKey(attemptId, newApp)
  if (key === null) throw attemptExpired()
  return key
}

/**
 * Proves the flow `totp`, which is always a second factor: by a code of the account's authenticator app, by the first
 * code of the one that the person sets up in this attempt, or by a recovery code. Each is accepted once; a right one also
 * opens a password flow that wrong passwords have closed. Throws 400 with the fault of the field, 429 by address.
 */
export async function proveTotp(ctx: Ctx, attempt: FactorAttempt, { code, recoveryCode }: Proof): Promise<ToStore> {
  const [field, typed] = recoveryCode ? (['recoveryCode', recoveryCode] as const) : (['code', code] as const)
  if (!typed) throw fieldError('code', 'errorEmpty')
  const { id, account, state, knownDevice } = attempt
  const newKey = state.newApp && !account?.hasAuthenticatorApp ? keyOfNewApp(id, state.newApp) : null
  // the app was removed while the person had it before them
  if (account?.enabled && !account.hasAuthenticatorApp && newKey === null) throw attemptExpired()
  let appStep: number | null = null
  const subject = { counted: subjectOf(attempt), known: knownDevice !== null }
  const verdict = await enterAppCode(ctx, subject, async () => {
    if (!account?.enabled) return false
    if (field === 'recoveryCode') return spendRecoveryCode(ctx, account.id, typed)
    if (newKey === null) return spendAppCode(ctx, account.id, typed)
    appStep = stepOfCode(newKey, typed, ctx.now())
    return appStep !== null
  })
  if (verdict === 'right') {
    if (account && Object.keys(attempt.failures).length > 0) await openPasswordFlow(db(), account.id)
    return appStep === null ? {} : { appStep }
  }
  const cause = account?.enabled ? (verdict === 'suspended' ? 'codesClosed' : 'wrongCode') : 'disabled'
  throw new SignInRefused(cause, 'errorCode', { errorList: [{ field, code: 'errorCode' }] })
}
