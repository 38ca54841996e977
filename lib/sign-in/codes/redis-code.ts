import { randomInt } from 'node:crypto'
import { isKeyedHash, keyedHash, keyedHashes, randomToken } from '@/lib/base/crypto/encryption'
import type { Limit } from '@/lib/base/limits/limits'
import { redis } from '@/lib/base/redis/redis'
import { countUp } from '@/lib/base/runtime/metrics'
import { platformSettings } from '@/lib/site/settings/service'
import { waitOfWrong, wrongOf } from './address-code-limit'

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
      of: attempts,
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

const signsIn = ({ purpose }: CodeSlot) => purpose === 'email_code' || purpose === 'sms_code'

/** How many wrong entries a code allows by the settings of now: also a code that was sent when it was less. */
const allowedNow = async (slot: CodeSlot) => {
  const { authCodeAttempts, mobileVerifyAttempts } = await platformSettings()
  return signsIn(slot) ? authCodeAttempts : mobileVerifyAttempts
}

/**
 * Returns until when the slot's code can be entered; null if there is none, it has another receiver, or no entries
 * left.
 */
export async function codeEnd(slot: CodeSlot): Promise<string | null> {
  const [end = null, left, to, of] = await redis().hmget(keyOf(slot), 'end', 'left', 'to', 'of')
  const more = of ? Math.max(0, (await allowedNow(slot)) - Number(of)) : 0
  return Number(left) + more > 0 && to && isKeyedHash('codes', receiverOf(slot), to) ? end : null
}

// an attempt is taken before anything is compared, so that no more parallel entries than the limit are compared
const taking = `${waitOfWrong}
local wait = waitOf()
if wait > 0 then return { 'limited', wait } end
local key = ARGV[rest]
if redis.call('exists', key) == 0 then return { 'expired', 0 } end
local allowed = tonumber(ARGV[rest + 1])
local more = math.max(0, allowed - (tonumber(redis.call('hget', key, 'of')) or allowed))
local left = tonumber(redis.call('hget', key, 'left')) + more
if left <= 0 then return { 'exceeded', 0 } end
redis.call('hincrby', key, 'left', -1)
return { 'taken', left - 1 }`

// comparing and counting are one step, so that no more parallel guesses of an address than its limit are compared; a
// code that was stored before an exchange of keys is hashed with another key than the first
const comparing = `${waitOfWrong}
local wait = waitOf()
if wait > 0 then return { 'limited', wait } end
local key, slot, entry, longest = ARGV[rest], ARGV[rest + 1], ARGV[rest + 2], tonumber(ARGV[rest + 3])
local kept = redis.call('hget', key, 'hash')
if not kept then return { 'expired', 0 } end
for i = rest + 4, #ARGV do
  if kept == ARGV[i] then
    redis.call('del', key)
    for _, wrong in ipairs(KEYS) do
      for _, one in ipairs(redis.call('zrange', wrong, 0, -1)) do
        if string.sub(one, 1, #slot) == slot then redis.call('zrem', wrong, one) end
      end
    end
    return { 'right', 0 }
  end
end
for _, wrong in ipairs(KEYS) do
  redis.call('zremrangebyscore', wrong, '-inf', now - longest)
  redis.call('zadd', wrong, now, slot .. entry)
  redis.call('pexpire', wrong, longest)
end
return { 'wrong', 0 }`

/**
 * Takes one of a code's attempts, if the address has entries left. With `taken`, `number` is how many attempts are
 * left, with `limited` how many milliseconds the address must wait.
 */
export async function takeEntry(slot: CodeSlot, addresses: Limit[], now: Date) {
  const given = [...wrongOf(addresses, now), keyOf(slot), await allowedNow(slot)] as const
  const [verdict, number] = (await redis().eval(taking, ...given)) as [
    'limited' | 'expired' | 'exceeded' | 'taken',
    number,
  ]
  return { verdict, number }
}

/**
 * Compares a code after an attempt was taken: a wrong one counts against the address, a right one is used up and takes
 * back what was entered wrongly for the same receiver in the same attempt, and nothing else (ADR 21). A `code` of null
 * can't be right, and gets the answer of a wrong one.
 */
export async function compareCode(slot: CodeSlot, code: string | null, addresses: Limit[], now: Date) {
  const hashes = code === null ? [] : keyedHashes('codes', hashed(slot, code))
  const longest = Math.max(0, ...addresses.flatMap(({ tiers }) => tiers.map(({ duration }) => duration * 1000)))
  const entry = [`${keyedHash('identifiers', receiverOf(slot))} `, randomToken(), longest] as const
  const given = [...wrongOf(addresses, now), keyOf(slot), ...entry, ...hashes] as const
  const [verdict, wait] = (await redis().eval(comparing, ...given)) as [
    'limited' | 'expired' | 'right' | 'wrong',
    number,
  ]
  return { verdict, wait }
}

const resendKey = (subject: string) => `code-resend:${keyedHash('resends', subject)}`

// the key keeps for how long it was set: a shorter time of now counts also for who waits already
const waitingToSend = `
local left = redis.call('pttl', KEYS[1])
local set = tonumber(redis.call('get', KEYS[1]) or '0')
if left > 0 then left = left - math.max(0, set - tonumber(ARGV[1])) * 1000 end
if left > 0 then return math.ceil(left / 1000) end
if ARGV[2] == 'take' then redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[1]) end
return 0`

const waitToSend = async (subject: string, seconds: number, what: 'take' | 'look') =>
  Number(await redis().eval(waitingToSend, 1, resendKey(subject), seconds, what))

/**
 * Reserves the sending of codes to a subject for `seconds`. Returns 0 if it was free, else the seconds that are left.
 */
export const takeResend = (subject: string, seconds: number): Promise<number> => waitToSend(subject, seconds, 'take')

/** Returns the seconds until a code may be sent to the subject again, 0 = now, if that takes `seconds`. */
export const resendLeft = (subject: string, seconds: number): Promise<number> => waitToSend(subject, seconds, 'look')

/** Undoes takeResend: nothing was sent after all. */
export const freeResend = (subject: string) => redis().del(resendKey(subject))
