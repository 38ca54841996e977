/** Everything in the demo data happens before this moment. */
export const demoNow = new Date('2026-11-16T09:00:00.000Z')

const day = 86_400_000
export const daysAgo = (days: number) => new Date(demoNow.getTime() - Math.round(days * day))

export type Random = {
  /** From 0 up to 1. */
  next(): number
  /** From 0 up to `count`, a whole number. */
  below(count: number): number
  pick<T>(list: readonly T[]): T
  /** True in this share of cases. */
  chance(share: number): boolean
}

/** Numbers that look random and are the same on every run (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    next,
    below,
    pick: (list) => {
      if (list.length === 0) throw new Error('nothing to pick from')
      return list[below(list.length)] as (typeof list)[number]
    },
    chance: (share) => next() < share,
  }
}
