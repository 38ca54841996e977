import { isInteraction } from '@/lib/base/navigation/after-sign-in'
import { redis } from '@/lib/base/redis/redis'

/** Seconds that a person has for an interaction of the OpenID Provider. */
export const interactionLifespan = 3600

const keyOf = (uid: string) => `oidc:waiting:${uid}`

/** Stores which client waits for an interaction, for the pages on the way back to it. Throws without Redis. */
export const noteWaiting = (uid: string, clientId: string) =>
  redis().set(keyOf(uid), clientId, 'EX', interactionLifespan)

/** Returns the id of the interaction whose path this is; undefined for any other path. */
export const interactionAt = (path: string | null): string | undefined =>
  path && isInteraction(path) ? /^\/platform\/interaction\/([\w-]{1,64})$/.exec(path)?.[1] : undefined

/** Returns the id of the client that waits for an interaction; null if none does, or if that can't be read. */
export const waitingClient = (uid: string | undefined): Promise<string | null> =>
  uid
    ? redis()
        .get(keyOf(uid))
        .catch(() => null)
    : Promise.resolve(null)
