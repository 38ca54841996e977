import { interactionLifespan, noteWaiting } from '@/lib/entry/waiting/service'
import { redis } from '@/lib/kernel/redis'
import { orUnavailable } from '@/lib/oidc/records/unavailable'

const keyOf = (uid: string) => `oidc:beginning:${uid}`

/**
 * Stores the session of the platform in which an interaction began, because a new sign-in makes another one, and the
 * client that waits for it.
 */
export const storeBeginning = (uid: string, sessionId: string | undefined, clientId: string) =>
  orUnavailable(() =>
    Promise.all([redis().set(keyOf(uid), sessionId ?? '', 'EX', interactionLifespan), noteWaiting(uid, clientId)]),
  )

/** Returns the session in which an interaction began; undefined without one. */
export const readStartSession = async (uid: string): Promise<string | undefined> =>
  (await orUnavailable(() => redis().get(keyOf(uid)))) || undefined
