import { redis } from '@/lib/kernel/redis'
import { orUnavailable } from '@/lib/oidc/records/unavailable'

/** Seconds that a person has for an interaction. */
export const interactionLifespan = 3600

const keyOf = (uid: string) => `oidc:beginning:${uid}`

/** Notes in which session of ours an interaction began: signing in anew makes another one. */
export const noteBeginning = (uid: string, sessionId: string | undefined) =>
  orUnavailable(() => redis().set(keyOf(uid), sessionId ?? '', 'EX', interactionLifespan))

/** The session in which an interaction began; none when there was none. */
export const sessionAtBeginning = async (uid: string): Promise<string | undefined> =>
  (await orUnavailable(() => redis().get(keyOf(uid)))) || undefined
