import { onTestFailed, TestRunner } from 'vitest'
import { fifth, rounds, seedOf } from '../setup/scope'
import { type Random, randomNumbers } from './random'

/** Adds to what is reported if the running test fails. */
function tellOnFailure(noteOf: () => string) {
  onTestFailed(({ task }) => {
    for (const error of task.result?.errors ?? []) {
      const message = [error.message, noteOf()].filter(Boolean).join('\n')
      error.stack = error.stack?.replace(error.message, () => message)
      error.message = message
    }
  })
}

const mixed = (seed: number, name: string) =>
  [...name].reduce((sum, letter) => Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x1000193), seed) >>> 0

/**
 * Returns the random numbers of a property (`seedOf`). They begin anew with each test, so that a test has the same ones
 * alone and after others. If it fails, the report says the seed; given as `kept`, it brings the same numbers again.
 */
export function caseNumbers(ownSeed: number, keptSeed?: number): Random {
  let next = randomNumbers(keptSeed ?? seedOf(ownSeed))
  let user: object | undefined
  return (below) => {
    const test = TestRunner.getCurrentTest()
    if (test && test !== user) {
      user = test
      const seed = keptSeed ?? seedOf(mixed(ownSeed, test.name))
      next = randomNumbers(seed)
      tellOnFailure(() => `(seed ${seed})`)
    }
    return next(below)
  }
}

/** Milliseconds after which a test begins no round beyond those of `npm test`. */
const mostMilliseconds = 20_000

/** Of all rounds, the part that the running test has tried. */
let tried = 1

/** Returns how many cases the tried rounds must bring at least, if all of a full run bring `all`. */
export const shareOf = (all: number) => rounds(all) * tried

/**
 * Counts the rounds in which random cases are tried (`rounds`): all of them, or those of 20 seconds, but never fewer than
 * `npm test` has. If a test needs cases of some kind, `enough` says whether they came; rounds go on until they have, but at
 * most ten times as many. If the test fails, the report says the round.
 */
export function* eachRound(all: number, enough: () => boolean = () => true): Generator<number> {
  const began = performance.now()
  let round = 0
  let over = false
  tried = 1
  if (TestRunner.getCurrentTest()) tellOnFailure(() => (over ? '' : `(round ${round})`))
  const isDue = () => round < rounds(all) && (round < fifth(all) || performance.now() - began < mostMilliseconds)
  for (; isDue() || (round < rounds(all) * 10 && !enough()); round++) yield round
  over = true
  tried = Math.min(1, round / rounds(all))
}
