import type { Tier } from '@/lib/base/limits/limits'
import { wrongByAddress } from '@/lib/sign-in/codes/limits'

export type Wrong = { at: number; who: string }
export type Rule = { full: (at: number) => boolean; wrong: (entry: Wrong) => void; right: (who: string) => void }

/** The rule of now: each wrong entry counts for its own hours, until a right one in the same attempt takes it back. */
export function ruleNow(tiers: readonly Tier[] = wrongByAddress): Rule {
  let kept: Wrong[] = []
  return {
    full: (at) =>
      tiers.some(({ points, duration }) => (kept.at(-points)?.at ?? Number.NEGATIVE_INFINITY) > at - duration),
    wrong: (entry) => {
      kept = [...kept, entry].slice(-200)
    },
    right: (who) => {
      kept = kept.filter((entry) => entry.who !== who)
    },
  }
}
