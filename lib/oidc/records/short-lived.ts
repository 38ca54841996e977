import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { digest, seal, unseal } from '@/lib/kernel/crypto/secrets'
import { redis } from '@/lib/kernel/redis'
import { orUnavailable } from './unavailable'

/** Seconds for which a device's code is kept when its time is over, so that whoever comes late hears why. */
const keptLate = 600

const userCodeKey = (userCode: string) => `oidc:user-code:${digest(userCode)}`
const grantKey = (grantId: string) => `oidc:grant:${digest(grantId)}`

/** Throws the first failure of a batch, which ioredis only hands over. */
async function run(batch: ReturnType<ReturnType<typeof redis>['multi']>) {
  const failed = (await batch.exec())?.find(([error]) => error)?.[0]
  if (failed) throw failed
}

/** Records of minutes, in Redis: codes, interactions, pushed requests, what must not be replayed. */
export function shortLivedAdapter(model: string): Adapter {
  const keyOf = (id: string) => `oidc:${model}:${digest(id)}`

  async function read(key: string): Promise<AdapterPayload | undefined> {
    const { payload, consumed } = await redis().hgetall(key)
    if (!payload) return undefined
    const kept: AdapterPayload = JSON.parse(unseal('oidc', payload, key))
    return consumed ? { ...kept, consumed: Number(consumed) } : kept
  }

  return {
    upsert: (id, payload, expiresIn = 600) =>
      orUnavailable(async () => {
        const key = keyOf(id)
        const batch = redis()
          .multi()
          .hset(key, 'payload', seal('oidc', JSON.stringify(payload), key))
        const seconds = model === 'DeviceCode' ? expiresIn + keptLate : expiresIn
        batch.expire(key, seconds)
        if (payload.userCode) batch.set(userCodeKey(payload.userCode), key, 'EX', seconds)
        if (payload.grantId) batch.sadd(grantKey(payload.grantId), key).expire(grantKey(payload.grantId), expiresIn)
        await run(batch)
      }),
    find: (id) => orUnavailable(() => read(keyOf(id))),
    findByUid: async () => undefined,
    findByUserCode: (userCode) =>
      orUnavailable(async () => {
        const key = await redis().get(userCodeKey(userCode))
        return key ? read(key) : undefined
      }),
    consume: (id) =>
      orUnavailable(async () => {
        const first = await redis().hsetnx(keyOf(id), 'consumed', Math.floor(Date.now() / 1000))
        if (!first) throw new errors.InvalidGrant('already used')
      }),
    destroy: (id) =>
      orUnavailable(async () => {
        await redis().del(keyOf(id))
      }),
    revokeByGrantId: (grantId) =>
      orUnavailable(async () => {
        const keys = await redis().smembers(grantKey(grantId))
        await redis().del(grantKey(grantId), ...keys)
      }),
  }
}
