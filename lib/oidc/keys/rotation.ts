const day = 24 * 60 * 60 * 1000

/** How long a key signs; how long it is published before that, and after: longer than anything it signed is valid. */
export const signsFor = 90 * day
export const announcedFor = day
export const keptFor = 8 * day

type Key = { id: string; state: 'next' | 'active' | 'retired'; createdAt: Date; activatedAt: Date | null }
export type Step = { activate?: string; retire: string[]; createActive: boolean; createNext: boolean }

/** What is to be done with the keys now: nothing, the first ones, or a step of rotation. */
export function rotationStep(keys: readonly Key[], now: Date): Step {
  const active = keys.find(({ state }) => state === 'active')
  const next = keys.find(({ state }) => state === 'next')
  if (!active) return { retire: [], createActive: true, createNext: !next }
  const due = now.getTime() - (active.activatedAt ?? active.createdAt).getTime() >= signsFor
  const known = next && now.getTime() - next.createdAt.getTime() >= announcedFor
  if (due && known) return { activate: next.id, retire: [active.id], createActive: false, createNext: true }
  return { retire: [], createActive: false, createNext: !next }
}
