export type Comparison = {
  /**
   * The chance that a random time of the first set is longer than one of the second; at 0.5 nobody can tell them apart.
   */
  longer: number
  /** By how many standard errors it differs from 0.5 (Mann-Whitney). */
  z: number
  /** The ratio of the first set to the second, by quantile. */
  ratios: Record<string, number>
}

const quantile = (sorted: readonly number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0

/** Compares two sets of times without assumptions about their distributions. */
export function compareTimes(first: readonly number[], second: readonly number[]): Comparison {
  const all = [...first.map((time) => ({ time, first: true })), ...second.map((time) => ({ time, first: false }))]
  all.sort((one, other) => one.time - other.time)
  let ranks = 0
  for (let at = 0; at < all.length; ) {
    let end = at
    while (end < all.length && all[end]?.time === all[at]?.time) end++
    // equal times share the mean of their ranks
    for (const { first } of all.slice(at, end)) if (first) ranks += (at + 1 + end) / 2
    at = end
  }
  const pairs = first.length * second.length
  const wins = ranks - (first.length * (first.length + 1)) / 2
  const z = (wins - pairs / 2) / Math.sqrt((pairs * (first.length + second.length + 1)) / 12)
  const [one, other] = [first.toSorted((a, b) => a - b), second.toSorted((a, b) => a - b)]
  const ratios = Object.fromEntries(
    [0.1, 0.25, 0.5, 0.75, 0.9].map((q) => [`p${q * 100}`, quantile(one, q) / quantile(other, q)]),
  )
  return { longer: wins / pairs, z, ratios }
}
