import { growthWorks, type Works } from './growth-works'
import { type Measured, measure } from './load'
import { watchPlans } from './plans'
import { createStage, machine } from './platform'
import { type Cases, isChosen, medianOf, type Results, runInTurn } from './rounds'
import { seededAmounts, seedFolder, seedSides } from './seeded'
import { twoSides } from './two-sides'

/** How much longer anything may take with the large database. */
const bound = 1.2
const { SECONDS = '1' } = process.env

type SideName = (typeof seedSides)[number]
const nameOf = (use: string, side: SideName) => `${use}, ${side}`
const failure: Measured = { perSecond: 0, p95: Number.POSITIVE_INFINITY, cpu: undefined }

const stage = createStage()
const works = {} as Record<SideName, Works>
const plans = {} as Record<SideName, Awaited<ReturnType<typeof watchPlans>>>

/** Checks that a database was seeded, before its server starts. */
async function check(ownerUrl: string, side: SideName) {
  if (!(await seededAmounts(ownerUrl))) throw new Error(`the ${side} database is empty: run npm run bench:seed first`)
  plans[side] = await watchPlans(`.data/${seedFolder}-${seedSides.indexOf(side)}`, ownerUrl)
}

const ratioOf = (results: Results, use: string, of: (measured: Measured) => number) => {
  const [small, large] = seedSides.map((side) => medianOf(results, nameOf(use, side), of))
  return {
    small: small ?? Number.NaN,
    large: large ?? Number.NaN,
    ratio: (large ?? Number.NaN) / (small ?? Number.NaN),
  }
}
/** Milliseconds of the processor for a unit, without those of the load generator. */
const spent = ({ cpu }: Measured) => (cpu ? cpu.server + cpu.postgres + cpu.redis : Number.NaN)

try {
  await stage.build()
  const casesOf = async (_: string, side: SideName, env: Parameters<typeof growthWorks>[0]): Promise<Cases> => {
    const amounts = await seededAmounts(env.DATABASE_OWNER_URL)
    if (!amounts) throw new Error('unreachable')
    console.log(`${side}: ${JSON.stringify(amounts)}`)
    works[side] = await growthWorks(env, amounts, stage)
    return Object.fromEntries(
      Object.entries(works[side]).map(([use, [width, work]]) => [
        nameOf(use, side),
        () =>
          measure(width, Number(SECONDS), work).catch((error: Error) => {
            console.log(`${nameOf(use, side)} failed: ${error.message}`)
            return failure
          }),
      ]),
    )
  }
  const cases = await twoSides({ folder: seedFolder, sizes: seedSides, fill: check, casesOf }, stage)
  const uses = Object.keys(works.small).filter((use) => seedSides.some((side) => isChosen(nameOf(use, side))))
  for (const use of uses)
    for (const side of seedSides) for (let n = 0; n < 3; n++) await works[side][use]?.[1]().catch(() => {})
  const results: Results = new Map()
  await runInTurn(cases, results)

  console.log(`\n${machine()}; p95 in ms, processor ms of a unit, small, large and ratio (<= ${bound})\n`)
  const figures = ({ small, large, ratio }: ReturnType<typeof ratioOf>) =>
    `${small.toFixed(1).padStart(8)} ${large.toFixed(1).padStart(8)} ${ratio.toFixed(2).padStart(6)}`
  const slower: string[] = []
  for (const use of uses) {
    const [p95, cpu] = [ratioOf(results, use, (each) => each.p95), ratioOf(results, use, spent)]
    // a case that failed has no p95, and a machine that isn't Linux no processor times
    const exceeds = [!(p95.ratio <= bound), cpu.ratio > bound].map((exceeded) => (exceeded ? '!' : ' '))
    console.log(`${use.padEnd(56)} ${figures(p95)} ${exceeds[0]} ${figures(cpu)} ${exceeds[1]}`)
    if (exceeds.includes('!')) slower.push(use)
  }
  console.log(
    `\n${slower.length} of ${uses.length} exceed the bound; the slowest statements of each in the large database:`,
  )
  for (const use of slower) {
    const slowest = await plans.large(async () => works.large[use]?.[1]())
    console.log(`\n${use}\n${slowest.join('\n')}`)
  }
  if (slower.length > 0) process.exitCode = 1
} finally {
  await stage.stop()
}
