import { addressLimits } from '@/lib/kernel/address-limits'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, fieldError } from '@/lib/kernel/errors'
import { takePoints, tooManyAttempts } from '@/lib/kernel/limits'
import { askedByAddress, wrongByAddress } from './limits'
import { type CodeSlot, compareCode, takeEntry } from './redis-code'
import { releaseEntry, reserveEntry } from './wrong-codes'

type Caller = Pick<Ctx, 'ip' | 'now'>

export type Entering = {
  /** Whose wrong entries these are, over all kinds of codes: an account, or what stands in its place. */
  counted: string
  /** The browser has signed the account in before: it has a count of its own, and its address none. */
  known: boolean
  /** False where nobody got the code. */
  possible: boolean
}

/** Counts a code asked for from an address, unless the browser is known to the account. Throws 429. */
export async function countAsked({ ip }: Caller, known: boolean) {
  if (!known) await takePoints(...addressLimits('code-asked', ip, askedByAddress))
}

type Verdict = 'right' | 'wrong' | 'expired' | 'exceeded'

/**
 * Looks at a code for which an attempt is taken. While the account's codes rest it can't be right, and its answer is
 * that to any wrong one (docs/rules/codes.md#limits).
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
  const looking = compareCode(slot, reserved && entering.possible ? code : null, addresses)
  // a guess without an answer is none: a store that comes and goes must not rest the codes of its people
  const { verdict, wait } = await looking.catch(async (error) => {
    await release()
    throw error
  })
  if (verdict !== 'wrong') await release()
  if (verdict === 'held') throw tooManyAttempts(wait)
  return verdict
}

async function verdictOn(ctx: Caller, slot: CodeSlot, code: string, entering: Entering): Promise<Verdict> {
  const addresses = entering.known ? [] : addressLimits('code-wrong', ctx.ip, wrongByAddress)
  const { verdict, number } = await takeEntry(slot, addresses)
  if (verdict === 'held') throw tooManyAttempts(number)
  if (verdict !== 'taken') return verdict
  const looked = await look(ctx, slot, code, entering, addresses)
  return looked === 'wrong' && number === 0 ? 'exceeded' : looked
}

const faults = { wrong: 'errorCode', expired: 'errorCodeExpired', exceeded: 'errorCodeAttempts' } as const

/**
 * Uses a right code up. Throws 400 with what is wrong with it: empty, wrong, expired (with `expired`), or entered
 * wrongly too often; 429 while the address has no guesses left, which costs the code no attempt.
 */
export async function enterCode(ctx: Caller, slot: CodeSlot, code: string | undefined, entering: Entering) {
  if (!code) throw fieldError('code', 'errorEmpty')
  const verdict = await verdictOn(ctx, slot, code, entering)
  if (verdict === 'right') return
  const fault = faults[verdict]
  throw new AppError(400, fault, {
    errorList: [{ field: 'code', code: fault }],
    ...(verdict === 'expired' ? { expired: true } : {}),
  })
}
