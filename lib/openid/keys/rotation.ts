const day = 24 * 60 * 60 * 1000

/**
 * Milliseconds for which a key signs, and for which it is published before and after that: longer than its signatures
 * are valid.
 */
export const signsFor = 90 * day
export const announcedFor = day
export const publishedAfter = 8 * day

type Key = { id: string; state: 'next' | 'active' | 'retired'; createdAt: Date; activatedAt: Date | null }
export type RotationStep = { activate?: string; retire: string[]; createActive: boolean; createNext: boolean }

/** Returns what to do with the keys now: nothing, create the first ones, or take a step of the rotation. */
export function rotationStep(keys: readonly Key[], now: Date): RotationStep {
  const active = keys.find(({ state }) => state === 'active')
  const next = keys.find(({ state }) => state === 'next')
  if (!active) return { retire: [], createActive: true, createNext: !next }
  const isOld = now.getTime() - (active.activatedAt ?? active.createdAt).getTime() >= signsFor
  const isAnnounced = next && now.getTime() - next.createdAt.getTime() >= announcedFor
  if (isOld && isAnnounced) return { activate: next.id, retire: [active.id], createActive: false, createNext: true }
  return { retire: [], createActive: false, createNext: !next }
}
