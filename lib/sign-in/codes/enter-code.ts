import type { Ctx } from '@/lib/base/context/ctx'
import { addressLimits } from '@/lib/base/limits/address-limits'
import { takePoints, tooManyAttempts } from '@/lib/base/limits/limits'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { countUp } from '@/lib/base/runtime/metrics'
import { SignInRefused } from '../log/record'
import { countWrongEntry, uncountWrongEntry } from './account-code-limit'
import { wrongCodeLimits } from './address-code-limit'
import { requestsByAddress } from './limits'
import { type CodeSlot, compareCode, takeEntry } from './redis-code'

type Caller = Pick<Ctx, 'ip' | 'now'>

export type CodeEntry = {
  /** The key under which wrong entries of all kinds of codes are counted: that of an account, or of a substitute. */
  counted: string
  /** Whether the account knows this browser. Then the browser has its own count, and its address has none. */
  known: boolean
  /** Whether the code can be right: false if it was sent to nobody. */
  possible: boolean
}

/** Returns the limits on requests for codes of an address. */
export const requestLimits = (ip: string) => addressLimits('code-asked', ip, requestsByAddress)

/** Counts a request for a code by its address, unless the account knows the browser. Throws 429. */
export async function limitRequests({ ip }: Caller, knownBrowser: boolean) {
  if (!knownBrowser) await takePoints(...requestLimits(ip))
}

type Verdict = 'right' | 'wrong' | 'suspended' | 'expired' | 'exceeded'

/**
 * Compares a code after `takeEntry`. While the account's codes are suspended, a right code gets the answer of a wrong
 * one (docs/rules/codes.md#limits).
 */
async function compareEntry(
  { now }: Caller,
  slot: CodeSlot,
  code: string,
  entry: CodeEntry,
  limits: Parameters<typeof compareCode>[2],
) {
  const moment = now()
  const reserved = await countWrongEntry(entry.counted, moment)
  const release = () => (reserved ? uncountWrongEntry(entry.counted, moment) : undefined)
  const comparing = compareCode(slot, reserved && entry.possible ? code : null, limits, moment)
  // an entry without an answer doesn't count: an unstable Redis must not suspend the codes of an account
  const { verdict, wait } = await comparing.catch(async (error) => {
    await release()
    throw error
  })
  if (verdict !== 'wrong') await release()
  if (verdict === 'limited') throw tooManyAttempts(wait, 'code-wrong')
  return verdict === 'wrong' && !reserved ? 'suspended' : verdict
}

async function verdictOn(ctx: Caller, slot: CodeSlot, code: string, entry: CodeEntry): Promise<Verdict> {
  const limits = entry.known ? [] : wrongCodeLimits(ctx.ip)
  const { verdict, rest } = await takeEntry(slot, limits, ctx.now())
  if (verdict === 'limited') throw tooManyAttempts(rest, 'code-wrong')
  if (verdict !== 'taken') return verdict
  const result = await compareEntry(ctx, slot, code, entry, limits)
  return rest === 0 && (result === 'wrong' || result === 'suspended') ? 'exceeded' : result
}

const faults = {
  wrong: 'errorCode',
  suspended: 'errorCode',
  expired: 'errorCodeExpired',
  exceeded: 'errorCodeAttempts',
} as const

/**
 * Uses up a right code. Throws 400 with the fault: empty, wrong, expired (with `expired`), or too many wrong entries.
 * Throws 429 while the address has no entries left; then the code loses no entry.
 */
export async function enterCode(ctx: Caller, slot: CodeSlot, code: string | undefined, entry: CodeEntry) {
  if (!code) throw fieldError('code', 'errorEmpty')
  const verdict = await verdictOn(ctx, slot, code, entry)
  countUp('platform_codes_total', { event: 'entered', outcome: verdict })
  if (verdict === 'right') return
  const fault = faults[verdict]
  const data = { errorList: [{ field: 'code', code: fault }], ...(verdict === 'expired' ? { expired: true } : {}) }
  throw verdict === 'suspended' ? new SignInRefused('codesClosed', fault, data) : new AppError(400, fault, data)
}
