import { randomInt } from 'node:crypto'
import { keyedHash } from '@/lib/kernel/crypto/secrets'
import { redis } from '@/lib/kernel/redis'

/** What a code is good for; together with `owner` it binds a code to one flow of one attempt (S2). */
type CodePurpose = 'email_code' | 'sms_code' | 'registration' | 'invitation' | 'contact'
export type CodeSlot = { purpose: CodePurpose; owner: string; recipient: string }

const keyOf = ({ purpose, owner }: CodeSlot) => `code:${purpose}:${owner}`
const hashOf = ({ purpose, owner, recipient }: CodeSlot, code: string) =>
  keyedHash('codes', `${purpose} ${owner} ${recipient} ${code}`)

/** As many random digits as told, zeros in front included. */
export const randomCode = (digits: number) => String(randomInt(10 ** digits)).padStart(digits, '0')

/** Whom the owner's code went to; names nobody. */
const receiverOf = ({ purpose, owner, recipient }: CodeSlot) =>
  keyedHash('codes', `to ${purpose} ${owner} ${recipient}`)

/** Stores a code in place of the one before; `alive` in seconds, `attempts` wrong entries kill it. */
export async function storeCode(
  slot: CodeSlot,
  code: string,
  { alive, attempts, endTime }: { alive: number; attempts: number; endTime: Date },
) {
  const key = keyOf(slot)
  await redis()
    .multi()
    .del(key)
    .hset(key, { hash: hashOf(slot, code), to: receiverOf(slot), left: attempts, end: endTime.toISOString() })
    .expire(key, alive)
    .exec()
    .then((results) => {
      const failed = results?.find(([error]) => error)?.[0]
      if (failed) throw failed
    })
}

/** Makes the slot's code worthless: nobody got it. */
export const dropCode = (slot: CodeSlot) => redis().del(keyOf(slot))

/** Until when the slot's code can be entered; null without one, when it went to another, or after too many tries. */
export async function codeEnd(slot: CodeSlot): Promise<string | null> {
  const [end = null, left, to] = await redis().hmget(keyOf(slot), 'end', 'left', 'to')
  return Number(left) > 0 && to === receiverOf(slot) ? end : null
}

// one step, so that of parallel entries no more than the limit are looked at, and only one can be right
const entry = `
local hash = redis.call('hget', KEYS[1], 'hash')
if not hash then return 'expired' end
local left = redis.call('hincrby', KEYS[1], 'left', -1)
if left < 0 then return 'exceeded' end
if hash == ARGV[1] then redis.call('del', KEYS[1]) return 'right' end
if left == 0 then return 'exceeded' end
return 'wrong'`

export type CodeVerdict = 'right' | 'wrong' | 'expired' | 'exceeded'

/** Enters a code: a right one is used up, a wrong one costs an attempt, at the last one the code dies. */
export const enterCode = async (slot: CodeSlot, code: string): Promise<CodeVerdict> =>
  (await redis().eval(entry, 1, keyOf(slot), hashOf(slot, code))) as CodeVerdict

const resendKey = (subject: string) => `code-resend:${keyedHash('codes', subject)}`

/**
 * Takes the right to send a code to a subject for `seconds`. Gives 0 when it was free, else the seconds left.
 */
export async function takeResend(subject: string, seconds: number): Promise<number> {
  const key = resendKey(subject)
  if (await redis().set(key, '1', 'EX', seconds, 'NX')) return 0
  return Math.max(1, await redis().ttl(key))
}

/** Seconds until a code may be sent to the subject again, 0 = now. */
export const resendLeft = async (subject: string) => Math.max(0, await redis().ttl(resendKey(subject)))

/** Gives the right back: nothing was sent after all. */
export const freeResend = (subject: string) => redis().del(resendKey(subject))
