import { randomInt } from 'node:crypto'
import { isKeyedHash, keyedHash, keyedHashes, randomToken } from '@/lib/base/crypto/encryption'
import { type Limit, pointArguments, takePointsScript, tooManyAttempts } from '@/lib/base/limits/limits'
import { redis } from '@/lib/base/redis/redis'
import { countUp } from '@/lib/base/runtime/metrics'
import { platformSettings } from '@/lib/site/settings/service'
import { wrongCodeArguments, wrongCodeWaitScript } from './address-code-limit'

/** The purpose of a code. With `owner` it binds a code to one flow of one attempt (docs/quality.md#s2). */
type CodePurpose =
  | 'email_code'
  | 'sms_code'
  | 'registration'
  | 'invitation'
  | 'contact'
  | 'password'
  | 'deletion'
  | 'factors'
export type CodeSlot = { purpose: CodePurpose; owner: string; recipient: string }

/** What people are told of a code. */
export type CodeState = {
  /** Seconds until a code may be requested, 0 = now. */
  resendIn: number
  /** End of the code's validity, ISO 8601 UTC; null if there is no code. */
  endTime: string | null
}

const keyOf = ({ purpose, owner }: CodeSlot) => `code:${purpose}:${owner}`
const hashedText = ({ purpose, owner, recipient }: CodeSlot, code: string) => `${purpose} ${owner} ${recipient} ${code}`

/** Returns this many random digits, with leading zeros. */
export const randomCode = (digits: number) => String(randomInt(10 ** digits)).padStart(digits, '0')

/** Returns the text whose hash says to which receiver the owner's code was sent. */
const receiverOf = ({ purpose, owner, recipient }: CodeSlot) => `to ${purpose} ${owner} ${recipient}`

/** How many seconds a code lives, how many entries it allows, and its end. */
type CodeTerms = { alive: number; attempts: number; endTime: Date }

const storedFields = (slot: CodeSlot, code: string, { attempts, endTime }: CodeTerms) => ({
  hash: keyedHash('codes', hashedText(slot, code)),
  to: keyedHash('codes', receiverOf(slot)),
  left: attempts,
  of: attempts,
  end: endTime.toISOString(),
})

/** Stores a code in place of the previous one. */
export async function storeCode(slot: CodeSlot, code: string, terms: CodeTerms) {
  const key = keyOf(slot)
  await redis()
    .multi()
    .del(key)
    .hset(key, storedFields(slot, code, terms))
    .expire(key, terms.alive)
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

/**
 * Returns how many entries a code allows by the current settings, also for a code that was sent when it allowed fewer.
 */
const allowedNow = async (slot: CodeSlot) => {
  const { authCodeAttempts, mobileVerifyAttempts } = await platformSettings()
  return signsIn(slot) ? authCodeAttempts : mobileVerifyAttempts
}

/**
 * Returns until when the slot's code can be entered. Returns null if there is no code, if it has another receiver, or
 * if it has no entries left.
 */
export async function codeEnd(slot: CodeSlot): Promise<string | null> {
  const [end = null, entriesLeft, receiverHash, allowed] = await redis().hmget(keyOf(slot), 'end', 'left', 'to', 'of')
  const added = allowed ? Math.max(0, (await allowedNow(slot)) - Number(allowed)) : 0
  return Number(entriesLeft) + added > 0 && receiverHash && isKeyedHash('codes', receiverOf(slot), receiverHash)
    ? end
    : null
}

// an entry is taken before the code is compared, so that parallel entries can't exceed the number of entries
const takeScript = `${wrongCodeWaitScript}
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

// the script compares and counts in one step, so that parallel entries of an address can't exceed its limit; a code
// that was stored before a change of keys is hashed with another key than the first
const compareScript = `${wrongCodeWaitScript}
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
 * Takes one of a code's entries, if the address has entries left. With `taken`, `rest` is how many entries are left;
 * with `limited`, how many milliseconds the address must wait.
 */
export async function takeEntry(slot: CodeSlot, limits: Limit[], now: Date) {
  const scriptArguments = [...wrongCodeArguments(limits, now), keyOf(slot), await allowedNow(slot)] as const
  const [verdict, rest] = (await redis().eval(takeScript, ...scriptArguments)) as [
    'limited' | 'expired' | 'exceeded' | 'taken',
    number,
  ]
  return { verdict, rest }
}

/**
 * Compares a code after `takeEntry`. A wrong code counts against the address. A right code is used up, and removes only
 * the wrong entries for the same receiver in the same attempt (ADR 21). A `code` of null can't be right, and gets the
 * answer of a wrong one.
 */
export async function compareCode(slot: CodeSlot, code: string | null, limits: Limit[], now: Date) {
  const hashes = code === null ? [] : keyedHashes('codes', hashedText(slot, code))
  const longest = Math.max(0, ...limits.flatMap(({ tiers }) => tiers.map(({ duration }) => duration * 1000)))
  const entry = [`${keyedHash('identifiers', receiverOf(slot))} `, randomToken(), longest] as const
  const scriptArguments = [...wrongCodeArguments(limits, now), keyOf(slot), ...entry, ...hashes] as const
  const [verdict, wait] = (await redis().eval(compareScript, ...scriptArguments)) as [
    'limited' | 'expired' | 'right' | 'wrong',
    number,
  ]
  return { verdict, wait }
}

const resendKey = (subject: string) => `code-resend:${keyedHash('resends', subject)}`

// the value of the key is the time for which it was set: if the current time is shorter, it also applies to a wait that
// has begun
const resendFunction = `
local function resendLeft(key, seconds)
  local left = redis.call('pttl', key)
  local set = tonumber(redis.call('get', key) or '0')
  if left > 0 then left = left - math.max(0, set - tonumber(seconds)) * 1000 end
  return math.max(0, math.ceil(left / 1000))
end
`

const resendScript = `${resendFunction}
local left = resendLeft(KEYS[1], ARGV[1])
if left == 0 and ARGV[2] == 'take' then redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[1]) end
return left`

const resendWait = async (subject: string, seconds: number, action: 'take' | 'look') =>
  Number(await redis().eval(resendScript, 1, resendKey(subject), seconds, action))

/**
 * Reserves the sending of codes to a subject for `seconds`. Returns 0 if it wasn't reserved, else the remaining
 * seconds.
 */
export const takeResend = (subject: string, seconds: number): Promise<number> => resendWait(subject, seconds, 'take')

/**
 * Returns the seconds until a code may be sent to the subject again, if the resend time is `seconds`; 0 if it may be
 * sent now.
 */
export const resendLeft = (subject: string, seconds: number): Promise<number> => resendWait(subject, seconds, 'look')

/** Undoes takeResend after a failure to send. */
export const freeResend = (subject: string) => redis().del(resendKey(subject))

const beforeKey = (slot: CodeSlot) => `${keyOf(slot)}:before`

// the previous code stays aside, as long as it would have lived
const replaceScript = `${takePointsScript}${resendFunction}
local wait = takePoints()
if wait > 0 then return { 'limited', wait } end
local resend, key, before = KEYS[limitKeys + 1], KEYS[limitKeys + 2], KEYS[limitKeys + 3]
local left = resendLeft(resend, ARGV[rest])
if left > 0 then return { 'early', left } end
redis.call('set', resend, ARGV[rest], 'EX', ARGV[rest])
redis.call('del', before)
if redis.call('exists', key) == 1 then redis.call('rename', key, before) end
redis.call('hset', key, unpack(ARGV, rest + 2))
redis.call('expire', key, ARGV[rest + 1])
return { 'stored', 0 }`

const putBackScript = `
local resend, key, before = unpack(KEYS)
if redis.call('hget', key, 'hash') ~= ARGV[1] then return end
redis.call('del', key, resend)
if redis.call('exists', before) == 1 then redis.call('rename', before, key) end`

type Replacement = CodeTerms & {
  /** Whose resend time holds, and its length in seconds. */
  subject: string
  resend: number
  /** The limits of the address. */
  limits: readonly Limit[]
}

/**
 * Counts a request for a code against the limits, reserves the sending as `takeResend` does, and stores the code in
 * place of the previous one, in one step of Redis. Returns null within the resend time; else the function that undoes
 * it all except the count, for a code that isn't sent. Throws 429, and the error of Redis.
 */
export async function replaceCode(slot: CodeSlot, code: string, { subject, resend, limits, ...terms }: Replacement) {
  const fields = storedFields(slot, code, terms)
  const points = pointArguments(limits)
  const keys = [resendKey(subject), keyOf(slot), beforeKey(slot)]
  const putBack = () => redis().eval(putBackScript, keys.length, ...keys, fields.hash)
  const allKeys = [...points.keys, ...keys]
  const values = [...points.values, resend, terms.alive, ...Object.entries(fields).flat()]
  const replacing = redis().eval(replaceScript, allKeys.length, ...allKeys, ...values)
  const [outcome, wait] = (await replacing.catch(async (error) => {
    // it may have run
    await putBack().catch(() => 0)
    throw error
  })) as ['limited' | 'early' | 'stored', number]
  if (outcome === 'limited') throw tooManyAttempts(wait, limits[0]?.name ?? 'unknown')
  if (outcome === 'early') return null
  countUp('platform_codes_total', { event: 'made', outcome: slot.purpose })
  return { putBack }
}
