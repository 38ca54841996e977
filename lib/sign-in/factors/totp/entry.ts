import type { Ctx } from '@/lib/base/context/ctx'
import { decrypt } from '@/lib/base/crypto/encryption'
import { addressLimits } from '@/lib/base/limits/address-limits'
import { returnPoints, takePoints } from '@/lib/base/limits/limits'
import { countUp } from '@/lib/base/runtime/metrics'
import { countWrongEntry, uncountWrongEntry } from '../../codes/account-code-limit'
import { wrongByAddress } from '../../codes/limits'
import { selectAuthenticatorApp, spendTimeStep } from '../queries'
import { spendRecoveryCode } from './apps'
import { stepOfCode } from './totp'

/** Returns the limits on wrong codes of authenticator apps of an address. */
export const appCodeLimits = (ip: string) => addressLimits('totp-wrong', ip, wrongByAddress)

type Subject = {
  /** The key under which wrong entries of all kinds of codes are counted. */
  counted: string
  /** Whether the account knows this browser. Then the browser has its own count, and its address has none. */
  known: boolean
}

/**
 * Compares a code of an authenticator app or a recovery code by `isRight`. A wrong one counts against the limits of the
 * account's codes and of the address, before it is compared (docs/rules/codes.md#limits). Returns `suspended` without
 * comparing while the account's codes are suspended. Throws 429 by address.
 */
export async function enterAppCode(
  ctx: Ctx,
  { counted, known }: Subject,
  isRight: () => Promise<boolean>,
): Promise<'right' | 'wrong' | 'suspended'> {
  const limits = known ? [] : appCodeLimits(ctx.ip)
  if (limits.length > 0) await takePoints(...limits)
  const now = ctx.now()
  const compared = await countWrongEntry(counted, now)
  const release = async () => {
    if (compared) await uncountWrongEntry(counted, now)
    if (limits.length > 0) await returnPoints(...limits)
  }
  const right = compared
    ? await isRight().catch(async (error) => {
        await release()
        throw error
      })
    : false
  if (right) await release()
  const verdict = right ? 'right' : compared ? 'wrong' : 'suspended'
  countUp('platform_codes_total', { event: 'entered', outcome: verdict })
  return verdict
}

/** Uses up the time step of a code of a person's app. Returns false for a wrong or used code, and without an app. */
export async function spendAppCode(ctx: Ctx, userId: string, code: string): Promise<boolean> {
  const app = await selectAuthenticatorApp(userId)
  const step = app && stepOfCode(decrypt('factors', app.secret, userId), code, ctx.now())
  return typeof step === 'number' && spendTimeStep(userId, step)
}

/** Uses up a code of a person's app, or a recovery code: whatever hasn't six digits. Returns false for a wrong one. */
export function spendEitherCode(ctx: Ctx, userId: string, typed: string): Promise<boolean> {
  const digits = typed.replace(/\s/g, '')
  return /^[0-9]{6}$/.test(digits) ? spendAppCode(ctx, userId, digits) : spendRecoveryCode(ctx, userId, typed)
}
