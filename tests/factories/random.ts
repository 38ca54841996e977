/** Gives the next number from 0 up to a bound. */
export type Random = (below: number) => number

/**
 * Returns a function that gives the next number below a bound, the same ones in each run (mulberry32). Its low bits are as
 * random as its high ones, so that a small bound, too, is not served by a short period.
 */
export function randomNumbers(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
