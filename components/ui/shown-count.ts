/** A count with an upper limit: with `more`, counting stopped at `count`. */
type LimitedCount = { count: number; more: boolean }

/**
 * Returns a count as arguments of a text. A count that stopped at its limit is rounded down to its first digit, because
 * the limit is arbitrary: of at least 901 people it says “900+”.
 */
export function shownCount({ count, more }: LimitedCount): { count: number; more: 'true' | 'false' } {
  const unit = 10 ** (String(count).length - 1)
  return { count: more ? Math.floor(count / unit) * unit : count, more: more ? 'true' : 'false' }
}
