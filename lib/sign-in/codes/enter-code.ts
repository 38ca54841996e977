import type { Ctx } from '@/lib/base/context/ctx'
import { addressLimits } from '@/lib/base/limits/address-limits'
import { takePoints, tooManyAttempts } from '@/lib/base/limits/limits'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { countUp } from '@/lib/base/runtime/metrics'
import { Refused } from '../log/record'
import { releaseEntry, reserveEntry } from './account-code-limit'
import { wrongLimits } from './address-code-limit'
import { requestsByAddress } from './limits'
import { type CodeSlot, compareCode, takeEntry } from './redis-code'

type Caller = Pick<Ctx, 'ip' | 'now'>

export type Entering = {
  /** The key under which wrong entries of all kinds of codes are counted: an account's, or a substitute's. */
  counted: string
  /** Whether this browser has signed the account in before: then it has its own count, and its address has none. */
  known: boolean
  /** False if nobody has received the code. */
  possible: boolean
}

/** The limits on requests for codes of an address. */
export const requestLimits = (ip: string) => addressLimits('code-asked', ip, requestsByAddress)

/** Counts a request for a code by its address, unless the account knows the browser. Throws 429. */
export async function limitRequests({ ip }: Caller, known: boolean) {
  if (!known) await takePoints(...requestLimits(ip))
}

type Verdict = 'right' | 'wrong' | 'suspended' | 'expired' | 'exceeded'

/**
 * Compares a code for which an attempt has been taken. While the account's codes are suspended it can't be right, and
 * it gets the answer of a wrong one (docs/rules/codes.md#limits).
 */
async function look(
  { now }: Caller,
  slot: CodeSlot,
  code: string,
  entering: Entering,
  addresses: Parameters<typeof compareCode>[2],
) {
  const at = now()
  const reserved = await reserveEntry(entering.counted, at)
  const release = () => (reserved ? releaseEntry(entering.counted, at) : undefined)
  const looking = compareCode(slot, reserved && entering.possible ? code : null, addresses, at)
  // an entry without an answer doesn't count: an unstable Redis must not suspend people's codes
  const { verdict, wait } = await looking.catch(async (error) => {
    await release()
    throw error
  })
  if (verdict !== 'wrong') await release()
  if (verdict === 'limited') throw tooManyAttempts(wait, 'code-wrong')
  return verdict === 'wrong' && !reserved ? 'suspended' : verdict
}

async function verdictOn(ctx: Caller, slot: CodeSlot, code: string, entering: Entering): Promise<Verdict> {
  const addresses = entering.known ? [] : wrongLimits(ctx.ip)
  const { verdict, number } = await takeEntry(slot, addresses, ctx.now())
  if (verdict === 'limited') throw tooManyAttempts(number, 'code-wrong')
  if (verdict !== 'taken') return verdict
  const looked = await look(ctx, slot, code, entering, addresses)
  return number === 0 && (looked === 'wrong' || looked === 'suspended') ? 'exceeded' : looked
}

const faults = {
  wrong: 'errorCode',
  suspended: 'errorCode',
  expired: 'errorCodeExpired',
  exceeded: 'errorCodeAttempts',
} as const

/**
 * Uses up a right code. Throws 400 with the fault: empty, wrong, expired (with `expired`), or too many wrong entries;
 * and 429 while the address has no entries left; then the code loses no attempt.
 */
export async function enterCode(ctx: Caller, slot: CodeSlot, code: string | undefined, entering: Entering) {
  if (!code) throw fieldError('code', 'errorEmpty')
  const verdict = await verdictOn(ctx, slot, code, entering)
  countUp('platform_codes_total', { event: 'entered', outcome: verdict })
  if (verdict === 'right') return
  const fault = faults[verdict]
  const data = { errorList: [{ field: 'code', code: fault }], ...(verdict === 'expired' ? { expired: true } : {}) }
  throw verdict === 'suspended' ? new Refused('codesClosed', fault, data) : new AppError(400, fault, data)
}
