import { redis } from '@/lib/kernel/redis'
import { orUnavailable } from '@/lib/oidc/records/unavailable'

/** Seconds that a person has for an interaction. */
export const interactionLifespan = 3600

const keyOf = (uid: string) => `oidc:beginning:${uid}`

/** Stores the session of the platform in which an interaction began, because a new sign-in makes another one. */
export const storeStartSession = (uid: string, sessionId: string | undefined) =>
  orUnavailable(() => redis().set(keyOf(uid), sessionId ?? '', 'EX', interactionLifespan))

/** Returns the session in which an interaction began; undefined without one. */
export const readStartSession = async (uid: string): Promise<string | undefined> =>
  (await orUnavailable(() => redis().get(keyOf(uid)))) || undefined
