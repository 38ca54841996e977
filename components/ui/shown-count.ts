/** A count of what may be too many to count: with `more`, counting stopped there. */
type Counted = { count: number; more: boolean }

/**
 * Returns a count as arguments of a text. Where counting stopped is chance, so such a count is rounded down to its first
 * digit: of at least 901 people it says “900+”.
 */
export function shownCount({ count, more }: Counted): { count: number; more: 'true' | 'false' } {
  const unit = 10 ** (String(count).length - 1)
  return { count: more ? Math.floor(count / unit) * unit : count, more: more ? 'true' : 'false' }
}
