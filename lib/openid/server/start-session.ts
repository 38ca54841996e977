import { redis } from '@/lib/base/redis/redis'
import { interactionLifespan, storeWaitingClient } from '@/lib/sign-in/interactions/service'
import { orUnavailable } from '../token-store/unavailable'

const keyOf = (uid: string) => `oidc:beginning:${uid}`

/**
 * Stores the session of the platform in which an interaction began, because a new sign-in makes another one, and the
 * client of the interaction.
 */
export const storeBeginning = (uid: string, sessionId: string | undefined, clientId: string) =>
  orUnavailable(() =>
    Promise.all([
      redis().set(keyOf(uid), sessionId ?? '', 'EX', interactionLifespan),
      storeWaitingClient(uid, clientId),
    ]),
  )

/** Returns the session in which an interaction began; undefined without one. */
export const readStartSession = async (uid: string): Promise<string | undefined> =>
  (await orUnavailable(() => redis().get(keyOf(uid)))) || undefined
