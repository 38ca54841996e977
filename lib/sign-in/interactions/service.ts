import { isInteraction } from '@/lib/base/navigation/after-sign-in'
import { redis } from '@/lib/base/redis/redis'

/** Seconds that a person has for an interaction of the OpenID Provider. */
export const interactionLifespan = 3600

const keyOf = (uid: string) => `oidc:waiting:${uid}`

/**
 * Stores the client whose interaction waits for the person, for the pages from which the person returns to it. Throws
 * without Redis.
 */
export const storeWaitingClient = (uid: string, clientId: string) =>
  redis().set(keyOf(uid), clientId, 'EX', interactionLifespan)

/** Returns the id of the interaction in a path. Returns undefined if the path is not that of an interaction. */
export const interactionAt = (path: string | null): string | undefined =>
  path && isInteraction(path) ? /^\/platform\/interaction\/([\w-]{1,64})$/.exec(path)?.[1] : undefined

/** Returns the id of the client whose interaction this is. Returns null if there is none, or without Redis. */
export const waitingClient = (uid: string | undefined): Promise<string | null> =>
  uid
    ? redis()
        .get(keyOf(uid))
        .catch(() => null)
    : Promise.resolve(null)
