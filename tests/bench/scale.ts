import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedBeside } from '@/bin/embedded'
import { browserOf, codeRequests, pages, passwordSignIns } from './cases'
import { type Measured, measure, median } from './load'
import { rateOf } from './machines'
import { applicationAt, introspections, refreshes, serviceAt, signInAtApplication, token, tokens, width } from './oidc'
import { createStage, environmentOf, machine, originOf, prepareForLoad } from './platform'
import { type Cases, isChosen, medianOf, type Results, rounds, runInTurn, seconds, warm } from './rounds'
import { serverMemory } from './sealed'

const profile = '/api/v1/platform/user/profile'
const nameOf = (use: string, processes: number) => `${use}, ${processes} ${processes === 1 ? 'process' : 'processes'}`

/** Milliseconds after its start, or after load, for which a server is left alone before its memory is read. */
const rest = 5_000

const stage = createStage()
/** Starts a server of so many processes over the same stores. Returns its address, and the megabytes it takes. */
async function startServer(processes: number) {
  const before = serverMemory()
  const env = await environmentOf(embedded.env, { PROCESSES: String(processes) })
  await stage.crew.keep({ name: `the server of ${processes}`, args: ['dist/server.js'], env }, stage.failed)
  const origin = originOf(env)
  await pages(origin, '/platform/login')()
  await pause(rest)
  return { origin, memory: serverMemory() - before }
}

/** Runs some work. Returns the most megabytes that all servers took meanwhile. */
async function peakOf(work: () => Promise<unknown>) {
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, serverMemory())
  }, 100)
  await work().finally(() => clearInterval(watch))
  return peak
}

async function worksOf(origin: string, logins: string[]): Promise<Record<string, () => Promise<number>>> {
  const signIn = () => signInAtApplication(origin, 'services')
  return {
    'password sign-in': passwordSignIns(origin, logins),
    'code request and entry': codeRequests(origin),
    'sign-in page': pages(origin, '/platform/login'),
    'signed-in profile call': pages(origin, profile, await browserOf(origin, 'services')),
    'token of client_credentials': tokens(serviceAt(origin)),
    introspection: introspections(serviceAt(origin), await token(serviceAt(origin))),
    refresh: await refreshes(applicationAt(origin), signIn),
  }
}

const casesOf = (works: Awaited<ReturnType<typeof worksOf>>, processes: number): Cases =>
  Object.fromEntries(
    Object.entries(works).map(([use, work]) => [nameOf(use, processes), () => measure(width, seconds, work)]),
  )

const embedded = await startEmbeddedBeside({ folder: '.data/bench', durable: true })
stage.open.push(embedded)
try {
  const env = await environmentOf(embedded.env)
  Object.assign(process.env, env)
  await stage.build()
  await stage.crew.run({ name: 'the demo data', args: ['dist/prepare.js'], env })
  const logins = await prepareForLoad()

  const one = await startServer(1)
  const works = await worksOf(one.origin, logins)
  const single = casesOf(works, 1)
  const loaded = await peakOf(() => warm(single))
  await pause(rest)
  console.log(
    `\nmemory of one process, MB: ${one.memory.toFixed(0)} at rest (<= 220), ${loaded.toFixed(0)} at most under`,
  )
  console.log(`load, ${serverMemory().toFixed(0)} after it\n`)

  const two = await startServer(2)
  console.log(`memory of a primary with two processes at rest, MB: ${two.memory.toFixed(0)}\n`)
  const double = casesOf(await worksOf(two.origin, logins), 2)
  await warm(double)
  const inTurn = Object.entries(single).flatMap((each, n) => [each, Object.entries(double)[n] ?? each])
  const results: Results = new Map()
  await runInTurn(Object.fromEntries(inTurn), results)

  const uses = Object.keys(works).filter((use) => isChosen(nameOf(use, 1)) && isChosen(nameOf(use, 2)))
  const figure = (use: string, processes: number, of: (measured: Measured) => number) =>
    medianOf(results, nameOf(use, processes), of)
  console.log(`\n${machine()}; medians of ${rounds} rounds of ${seconds} s\n`)
  console.log('a second: 1 process, 2 processes, ratio; the load and the stores have the same cores\n')
  for (const use of uses) {
    const [alone, both] = [1, 2].map((processes) => figure(use, processes, (each) => each.perSecond))
    const [a = Number.NaN, b = Number.NaN] = [alone, both]
    console.log(
      `${use.padEnd(28)} ${a.toFixed(0).padStart(6)} ${b.toFixed(0).padStart(6)} ${(b / a).toFixed(2).padStart(6)}`,
    )
  }
  const cores = availableParallelism()
  console.log(
    `\nby the processor ms of a unit (server; PostgreSQL and Redis): what machines of ${cores} cores do a second,`,
  )
  console.log('1 and 2 for servers, 1 for the stores; the slope; how busy the stores are with 2\n')
  for (const use of uses) {
    const shares = {
      server: median([1, 2].map((n) => figure(use, n, ({ cpu }) => cpu?.server ?? Number.NaN))),
      stores: median([1, 2].map((n) => figure(use, n, ({ cpu }) => (cpu ? cpu.postgres + cpu.redis : Number.NaN)))),
    }
    const [first, second] = [rateOf(shares, 1, cores), rateOf(shares, 2, cores)]
    console.log(
      [
        use.padEnd(28),
        ...[shares.server, shares.stores].map((ms) => ms.toFixed(2).padStart(6)),
        ...[first, second].map(({ perSecond }) => perSecond.toFixed(0).padStart(6)),
        (second.perSecond / first.perSecond).toFixed(2).padStart(6),
        `${(second.storesBusy * 100).toFixed(0)} %`.padStart(6),
      ].join(' '),
    )
  }
} finally {
  await stage.stop()
}
