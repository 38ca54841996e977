import Provider, { type Adapter, type AdapterPayload, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { decrypt, digest, encrypt } from '@/lib/base/crypto/encryption'
import { redis } from '@/lib/base/redis/redis'
import { raceGrace } from './rotation'
import { orUnavailable } from './unavailable'

/** Seconds for which an expired device code is kept, so that a late device learns why it fails. */
const expiredKeptFor = 600
/**
 * The longest lifespan in seconds: more than the hour of an interaction, or of an assertion with the difference of
 * clocks.
 */
const maxSeconds = 7_200

/** Whether a record was used so recently that a second use is a simultaneous request, as of two polls of a device. */
const usedJustNow = ({ consumed }: AdapterPayload) =>
  typeof consumed === 'number' && Date.now() - consumed * 1000 < raceGrace

/** Rounds up to whole seconds, so that a record that works once is stored at least for as long as it could be used. */
const secondsOf = (seconds: number) => Math.min(maxSeconds, Math.max(1, Math.ceil(seconds)))

const userCodeKey = (userCode: string) => `oidc:user-code:${digest(userCode)}`
const grantKey = (grantId: string) => `oidc:grant:${digest(grantId)}`

// Each script is atomic. KEYS[1] is the record. Everything that a script writes expires.

/** ARGV: payload, seconds, condition. KEYS[2] and KEYS[3]: those of its user code and its grant, or empty. */
const storeScript = `
local seconds = tonumber(ARGV[2])
if not seconds or seconds ~= math.floor(seconds) or seconds < 1 or seconds > ${maxSeconds} then
  return redis.error_reply('ERR a record needs an end')
end
local condition = ARGV[3]
local known = redis.call('hexists', KEYS[1], 'payload') == 1
if condition == 'new' and known then return 0 end
if condition ~= 'new' and condition ~= 'any' and not known then return 0 end
if condition == 'take' and redis.call('hsetnx', KEYS[1], 'taken', '1') == 0 then return 0 end
if condition == 'approve' then redis.call('hset', KEYS[1], 'approved', '1') end
if condition == 'fail' and redis.call('hexists', KEYS[1], 'approved') == 1 then return 1 end
redis.call('hset', KEYS[1], 'payload', ARGV[1])
redis.call('expire', KEYS[1], ARGV[2])
if KEYS[2] ~= '' then redis.call('set', KEYS[2], KEYS[1], 'EX', ARGV[2]) end
if KEYS[3] ~= '' then
  redis.call('sadd', KEYS[3], KEYS[1])
  if redis.call('ttl', KEYS[3]) < seconds then redis.call('expire', KEYS[3], ARGV[2]) end
end
return 1`

/**
 * Marks a record as used. Fails for a record that no longer exists, as after the revocation for a replay, because
 * marking would create it again.
 */
const consumeScript = `
if redis.call('hexists', KEYS[1], 'payload') == 0 then return 0 end
return redis.call('hsetnx', KEYS[1], 'consumed', ARGV[1])`

/** KEYS[1] is the list of the grant. */
const revokeScript = `
local keys = redis.call('smembers', KEYS[1])
redis.call('del', KEYS[1])
for _, key in ipairs(keys) do redis.call('del', key) end
return #keys`

/**
 * Returns the condition for storing a record. Only one person decides about a device code, whoever else enters it at
 * the same time; and when one of two requests has approved it, a failure of the other does not undo that.
 */
function conditionOf(model: string, payload: AdapterPayload): 'any' | 'new' | 'change' | 'take' | 'approve' | 'fail' {
  if (model === 'ReplayDetection') return 'new'
  // an answer after the request has continued must not restore the interaction
  if (model === 'Interaction') return payload.result ? 'change' : 'any'
  if (model !== 'DeviceCode') return 'any'
  const { inFlight, accountId, error } = payload
  if (error) return inFlight || accountId ? 'fail' : 'take'
  if (accountId) return 'approve'
  return inFlight ? 'take' : 'any'
}

/**
 * Returns the error for an interaction that was used already: of two simultaneous requests only one continues. Also
 * removes the interaction from the context, or oidc-provider would report the failure to the device.
 */
function interactionUsed() {
  const ctx = Provider.ctx as KoaContextWithOIDC | undefined
  if (ctx) delete (ctx.oidc.entities as { Interaction?: unknown }).Interaction
  return new errors.SessionNotFound('interaction session not found')
}

/**
 * Returns the adapter for records that live for minutes, in Redis: codes, interactions, pushed requests, replay
 * detection.
 */
export function shortLivedAdapter(model: string): Adapter {
  const keyOf = (id: string) => `oidc:${model}:${digest(id)}`

  function alreadyUsed() {
    if (model === 'Interaction') return interactionUsed()
    return model === 'PushedAuthorizationRequest'
      ? new errors.InvalidRequestUri('request_uri is invalid, expired, or was already used')
      : new errors.InvalidGrant('already used')
  }

  async function read(key: string): Promise<AdapterPayload | undefined> {
    const { payload, consumed } = await redis().hgetall(key)
    if (!payload) return undefined
    const content: AdapterPayload = JSON.parse(decrypt('oidc', payload, key))
    return consumed ? { ...content, consumed: Number(consumed) } : content
  }

  return {
    upsert: (id, payload, expiresIn = 600) =>
      orUnavailable(async () => {
        const key = keyOf(id)
        const { userCode, grantId } = payload
        const keys = [key, userCode ? userCodeKey(userCode) : '', grantId ? grantKey(grantId) : '']
        const seconds = secondsOf(model === 'DeviceCode' ? expiresIn + expiredKeptFor : expiresIn)
        const encrypted = encrypt('oidc', JSON.stringify(payload), key)
        const condition = conditionOf(model, payload)
        const stored = await redis().eval(storeScript, keys.length, ...keys, encrypted, seconds, condition)
        if (stored === 0) throw alreadyUsed()
      }),
    find: (id) =>
      orUnavailable(async () => {
        const record = await read(keyOf(id))
        // oidc-provider would end the grant, and with it the answer to the first request
        if (model === 'DeviceCode' && record && usedJustNow(record)) throw alreadyUsed()
        return record
      }),
    findByUid: async () => undefined,
    findByUserCode: (userCode) =>
      orUnavailable(async () => {
        const key = await redis().get(userCodeKey(userCode))
        return key ? read(key) : undefined
      }),
    consume: (id) =>
      orUnavailable(async () => {
        const marked = await redis().eval(consumeScript, 1, keyOf(id), Math.floor(Date.now() / 1000))
        if (marked === 0) throw alreadyUsed()
      }),
    destroy: (id) =>
      orUnavailable(async () => {
        const removed = await redis().del(keyOf(id))
        if (model === 'Interaction' && removed === 0) throw alreadyUsed()
      }),
    revokeByGrantId: (grantId) =>
      orUnavailable(async () => {
        await redis().eval(revokeScript, 1, grantKey(grantId))
      }),
  }
}
