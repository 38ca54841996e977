/**
 * What a run of the tests covers. `npm test` has the same cases at every run of a commit. `npm run test:full` has all
 * tests, all rounds, and cases of the day.
 */
export const isFull = process.env.TEST_SCOPE === 'full'

/**
 * The seed of a full run: by default the date in UTC, such as 20261128; the run prints it, and `TEST_SEED` repeats it. 0
 * in `npm test`.
 */
export const runSeed = isFull
  ? Number(process.env.TEST_SEED || new Date().toISOString().slice(0, 10).replaceAll('-', ''))
  : 0

/** How many random cases a property is tried with: all in a full run, a fifth in `npm test`. */
export const rounds = (all: number) => (isFull ? all : fifth(all))
export const fifth = (all: number) => Math.ceil(all / 5)

/** Of a list of cases each fifth, but all in a full run: for lists whose neighbors are much alike. */
export const eachFifth = <T>(all: readonly T[]): T[] => all.filter((_, at) => isFull || at % 5 === 0)

/**
 * The seed of a property's random cases: its own in `npm test`, mixed with the run's in a full run. A seed that failed is
 * kept as a case of its own: `test.each([undefined, 1234567])`, with `caseNumbers(7, kept)`.
 */
export const seedOf = (ownSeed: number) =>
  runSeed === 0 ? ownSeed : (Math.imul(ownSeed + 1, 0x9e3779b1) ^ runSeed) >>> 0
