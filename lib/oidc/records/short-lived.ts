import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { digest, seal, unseal } from '@/lib/kernel/crypto/secrets'
import { redis } from '@/lib/kernel/redis'
import { orUnavailable } from './unavailable'

/** Seconds for which a device's code is kept when its time is over, so that whoever comes late hears why. */
const keptLate = 600

const userCodeKey = (userCode: string) => `oidc:user-code:${digest(userCode)}`
const grantKey = (grantId: string) => `oidc:grant:${digest(grantId)}`

/** Gives a batch's answers; throws its first failure, which ioredis only hands over. */
async function run(batch: ReturnType<ReturnType<typeof redis>['multi']>): Promise<unknown[]> {
  const answers = (await batch.exec()) ?? []
  const failed = answers.find(([error]) => error)?.[0]
  if (failed) throw failed
  return answers.map(([, answer]) => answer)
}

/** Records of minutes, in Redis: codes, interactions, pushed requests, what must not be replayed. */
export function shortLivedAdapter(model: string): Adapter {
  const keyOf = (id: string) => `oidc:${model}:${digest(id)}`
  // looking and then storing would let two copies pass at once
  const once = model === 'ReplayDetection'

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
        const sealed = seal('oidc', JSON.stringify(payload), key)
        const batch = once
          ? redis().multi().hsetnx(key, 'payload', sealed)
          : redis().multi().hset(key, 'payload', sealed)
        const seconds = model === 'DeviceCode' ? expiresIn + keptLate : expiresIn
        batch.expire(key, seconds)
        if (payload.userCode) batch.set(userCodeKey(payload.userCode), key, 'EX', seconds)
        if (payload.grantId) batch.sadd(grantKey(payload.grantId), key).expire(grantKey(payload.grantId), expiresIn)
        const [added] = await run(batch)
        if (once && added === 0) throw new errors.InvalidGrant('already used')
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
