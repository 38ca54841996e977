import type { Tier } from '@/lib/base/limits/limits'
import { wrongByAddress } from '@/lib/sign-in/codes/limits'

export type Wrong = { at: number; who: string }
export type Rule = { full: (at: number) => boolean; wrong: (entry: Wrong) => void; right: (who: string) => void }

/** The rule of now: each wrong entry counts for its own hours, until a right one in the same attempt takes it back. */
export function ruleNow(tiers: readonly Tier[] = wrongByAddress): Rule {
  let entries: Wrong[] = []
  return {
    full: (at) =>
      tiers.some(({ points, duration }) => (entries.at(-points)?.at ?? Number.NEGATIVE_INFINITY) > at - duration),
    wrong: (entry) => {
      entries = [...entries, entry].slice(-200)
    },
    right: (who) => {
      entries = entries.filter((entry) => entry.who !== who)
    },
  }
}
