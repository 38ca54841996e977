import { digest, randomToken } from '@/lib/kernel/crypto/secrets'
import { redis } from '@/lib/kernel/redis'
import { orUnavailable } from './unavailable'

/** What an application has of a session: its grant, and the name that its ID tokens give the session. */
export type Share = { grantId: string; sid: string }
type Asking = { sessionUid: string; clientId: string }

/** Longer than requests that a browser sends at once may differ. */
const seconds = 60

const keyOf = ({ sessionUid, clientId }: Asking) => `oidc:first-grant:${digest(`${sessionUid} ${clientId}`)}`

const textOf = ({ grantId, sid }: Share) => `${grantId} ${sid}`

/**
 * Gives the share that counts for an application in a session. Tabs that open the application at once bring a stored
 * grant each, and the provider honours tokens of one grant alone: the first that came counts for all of them.
 * Throws 503 without Redis.
 */
export function firstShare(asking: Asking, grantId: string): Promise<Share> {
  return orUnavailable(async () => {
    const own: Share = { grantId, sid: randomToken() }
    if (await redis().set(keyOf(asking), textOf(own), 'EX', seconds, 'NX')) return own
    const [first, sid] = ((await redis().get(keyOf(asking))) ?? '').split(' ')
    return first && sid ? { grantId: first, sid } : own
  })
}

// whoever found it late must not forget the one that has taken its place
const forgetting = `if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end return 1`

/** Forgets this share of an application, whose grant has ended since; another one stays. Throws 503 without Redis. */
export const forgetFirstShare = (asking: Asking, share: Share) =>
  orUnavailable(() => redis().eval(forgetting, 1, keyOf(asking), textOf(share)))
