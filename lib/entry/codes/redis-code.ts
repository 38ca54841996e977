import { randomInt } from 'node:crypto'
import { isKeyedHash, keyedHash, keyedHashes } from '@/lib/kernel/crypto/secrets'
import { type Limit, limitKeys, waitOf } from '@/lib/kernel/limits'
import { countUp } from '@/lib/kernel/metrics'
import { redis } from '@/lib/kernel/redis'

/** What a code is for; together with `owner` it binds a code to one flow of one attempt (docs/quality.md#s2). */
type CodePurpose = 'email_code' | 'sms_code' | 'registration' | 'invitation' | 'contact' | 'password' | 'deletion'
export type CodeSlot = { purpose: CodePurpose; owner: string; recipient: string }

const keyOf = ({ purpose, owner }: CodeSlot) => `code:${purpose}:${owner}`
const hashed = ({ purpose, owner, recipient }: CodeSlot, code: string) => `${purpose} ${owner} ${recipient} ${code}`

/** Returns this many random digits, with leading zeros. */
export const randomCode = (digits: number) => String(randomInt(10 ** digits)).padStart(digits, '0')

/** The text whose hash shows to which receiver the owner's code was sent. */
const receiverOf = ({ purpose, owner, recipient }: CodeSlot) => `to ${purpose} ${owner} ${recipient}`

/** Stores a code and replaces the one before. It lives `alive` seconds and allows `attempts` entries. */
export async function storeCode(
  slot: CodeSlot,
  code: string,
  { alive, attempts, endTime }: { alive: number; attempts: number; endTime: Date },
) {
  const key = keyOf(slot)
  await redis()
    .multi()
    .del(key)
    .hset(key, {
      hash: keyedHash('codes', hashed(slot, code)),
      to: keyedHash('codes', receiverOf(slot)),
      left: attempts,
      end: endTime.toISOString(),
    })
    .expire(key, alive)
    .exec()
    .then((results) => {
      const failed = results?.find(([error]) => error)?.[0]
      if (failed) throw failed
      countUp('platform_codes_total', { event: 'made', outcome: slot.purpose })
    })
}

/** Deletes the slot's code. */
export const removeCode = (slot: CodeSlot) => redis().del(keyOf(slot))

/**
 * Returns until when the slot's code can be entered; null if there is none, it has another receiver, or no entries
 * left.
 */
export async function codeEnd(slot: CodeSlot): Promise<string | null> {
  const [end = null, left, to] = await redis().hmget(keyOf(slot), 'end', 'left', 'to')
  return Number(left) > 0 && to && isKeyedHash('codes', receiverOf(slot), to) ? end : null
}

// an attempt is taken before anything is compared, so that no more parallel entries than the limit are compared
const taking = `${waitOf}
local wait = waitOf(KEYS, ARGV)
if wait > 0 then return { 'limited', wait } end
local key = ARGV[#ARGV]
if redis.call('exists', key) == 0 then return { 'expired', 0 } end
local left = redis.call('hincrby', key, 'left', -1)
if left < 0 then return { 'exceeded', 0 } end
return { 'taken', left }`

// comparing and counting are one step, so that no more parallel guesses of an address than its limit are compared; a
// code that was stored before an exchange of keys is hashed with another key than the first
const comparing = `${waitOf}
local points, durations = {}, {}
for i = 1, #KEYS do
  points[i] = ARGV[2 * i - 1]
  durations[i] = ARGV[2 * i]
end
local wait = waitOf(KEYS, points)
if wait > 0 then return { 'limited', wait } end
local key = ARGV[2 * #KEYS + 1]
local kept = redis.call('hget', key, 'hash')
if not kept then return { 'expired', 0 } end
for i = 2 * #KEYS + 2, #ARGV do
  if kept == ARGV[i] then redis.call('del', key) return { 'right', 0 } end
end
take(KEYS, durations)
return { 'wrong', 0 }`

/**
 * Takes one of a code's attempts, if the address has entries left. With `taken`, `number` is how many attempts are
 * left, with `limited` how many milliseconds the address must wait.
 */
export async function takeEntry(slot: CodeSlot, addresses: Limit[]) {
  const keys = addresses.flatMap(limitKeys)
  const points = addresses.flatMap(({ tiers }) => tiers.map((tier) => tier.points))
  const [verdict, number] = (await redis().eval(taking, keys.length, ...keys, ...points, keyOf(slot))) as [
    'limited' | 'expired' | 'exceeded' | 'taken',
    number,
  ]
  return { verdict, number }
}

/**
 * Compares a code after an attempt was taken: a right code is used up, a wrong one counts against the address. A `code`
 * of null can't be right, and gets the answer of a wrong one.
 */
export async function compareCode(slot: CodeSlot, code: string | null, addresses: Limit[]) {
  const keys = addresses.flatMap(limitKeys)
  const tiers = addresses.flatMap((limit) => limit.tiers.flatMap(({ points, duration }) => [points, duration]))
  const hashes = code === null ? [] : keyedHashes('codes', hashed(slot, code))
  const [verdict, wait] = (await redis().eval(comparing, keys.length, ...keys, ...tiers, keyOf(slot), ...hashes)) as [
    'limited' | 'expired' | 'right' | 'wrong',
    number,
  ]
  return { verdict, wait }
}

const resendKey = (subject: string) => `code-resend:${keyedHash('resends', subject)}`

/**
 * Reserves the sending of codes to a subject for `seconds`. Returns 0 if it was free, else the seconds that are left.
 */
export async function takeResend(subject: string, seconds: number): Promise<number> {
  const key = resendKey(subject)
  if (await redis().set(key, '1', 'EX', seconds, 'NX')) return 0
  return Math.max(1, await redis().ttl(key))
}

/** Returns the seconds until a code may be sent to the subject again, 0 = now. */
export const resendLeft = async (subject: string) => Math.max(0, await redis().ttl(resendKey(subject)))

/** Undoes takeResend: nothing was sent after all. */
export const freeResend = (subject: string) => redis().del(resendKey(subject))
