import { type Measured, median } from './load'

export type Cases = Record<string, () => Promise<Measured>>

/** By name of a case, its measurements. */
export type Results = Map<string, Measured[]>

/** How often all cases run in turn, how many seconds a case takes, and the pattern of the names of those that run. */
export const rounds = Number(process.env.ROUNDS ?? 3)
export const seconds = Number(process.env.SECONDS ?? 5)
export const isChosen = (name: string) => new RegExp(process.env.ONLY ?? '').test(name)

/** Processor time per unit of the load generator, the server, PostgreSQL and Redis. */
const cpuText = ({ cpu }: Measured) =>
  cpu
    ? `, CPU ms ${Object.entries(cpu)
        .map(([whose, ms]) => `${whose} ${ms.toFixed(2)}`)
        .join(', ')}`
    : ''

/** Runs the chosen cases in turn, in rounds, and adds what they measured to the results. */
export async function runInTurn(cases: Cases, results: Results) {
  const chosen = Object.entries(cases).filter(([name]) => isChosen(name))
  for (let round = 1; round <= rounds; round++)
    for (const [name, run] of chosen) {
      const measured = await run()
      results.set(name, [...(results.get(name) ?? []), measured])
      console.log(
        `round ${round}: ${name}: ${measured.perSecond.toFixed(0)}/s, p95 ${measured.p95.toFixed(1)} ms${cpuText(measured)}`,
      )
    }
}

/** Runs each chosen case once, so that none is measured cold. */
export async function warm(cases: Cases) {
  for (const [name, run] of Object.entries(cases)) if (isChosen(name)) await run()
}

/** The median of a figure over the rounds of a case; NaN if it didn't run. */
export const medianOf = (results: Results, name: string, of: (measured: Measured) => number) =>
  median((results.get(name) ?? []).map(of))
