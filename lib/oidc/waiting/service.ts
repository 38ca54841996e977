import { isInteraction } from '@/lib/kernel/navigation/after-sign-in'
import { redis } from '@/lib/kernel/redis'
import { usableClient } from '@/lib/oidc/clients/service'

/** Seconds that a person has for an interaction. */
export const interactionLifespan = 3600

const keyOf = (uid: string) => `oidc:waiting:${uid}`

/** Stores which client waits for an interaction, for the pages on the way back to it. */
export const noteWaiting = (uid: string, clientId: string) =>
  redis().set(keyOf(uid), clientId, 'EX', interactionLifespan)

type Waiting = { name: string; nameEn: string | null }

/**
 * Returns the application that waits at a path, for a sign-in page to name it; null for any other path, and when it
 * can't be read: a page opens without it too.
 */
export async function waitingApplication(path: string | null): Promise<Waiting | null> {
  const uid = path && isInteraction(path) ? /^\/platform\/interaction\/([\w-]{1,64})$/.exec(path)?.[1] : undefined
  if (!uid) return null
  try {
    const clientId = await redis().get(keyOf(uid))
    const { name, nameEn } = (clientId && (await usableClient(clientId))?.application) || { name: '', nameEn: null }
    return name ? { name, nameEn } : null
  } catch {
    return null
  }
}
