import { digest, randomToken } from '@/lib/base/crypto/encryption'
import { redis } from '@/lib/base/redis/redis'
import { orUnavailable } from './unavailable'

/** What an application has of a session: its grant, and the session's name in its ID tokens. */
export type Share = { grantId: string; sid: string }
type ShareKey = { sessionUid: string; clientId: string }

/** Seconds: longer than simultaneous requests of a browser take. */
const seconds = 60

const redisKeyOf = ({ sessionUid, clientId }: ShareKey) => `oidc:first-grant:${digest(`${sessionUid} ${clientId}`)}`

const textOf = ({ grantId, sid }: Share) => `${grantId} ${sid}`

/**
 * Returns the share that is valid for an application in a session. When several tabs open the application at once, each
 * creates a grant, but oidc-provider only accepts tokens of one: the first one is valid for all of them. Throws 503
 * without Redis.
 */
export function firstShare(shareKey: ShareKey, grantId: string): Promise<Share> {
  return orUnavailable(async () => {
    const newShare: Share = { grantId, sid: randomToken() }
    if (await redis().set(redisKeyOf(shareKey), textOf(newShare), 'EX', seconds, 'NX')) return newShare
    const [first, sid] = ((await redis().get(redisKeyOf(shareKey))) ?? '').split(' ')
    return first && sid ? { grantId: first, sid } : newShare
  })
}

// a late request must not delete the share that has replaced this one
const deleteScript = `if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end return 1`

/** Deletes this share of an application, whose grant has ended; a newer share stays. Throws 503 without Redis. */
export const deleteFirstShare = (shareKey: ShareKey, share: Share) =>
  orUnavailable(() => redis().eval(deleteScript, 1, redisKeyOf(shareKey), textOf(share)))
