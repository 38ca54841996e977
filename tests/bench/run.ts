import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { hash, verify } from '@node-rs/argon2'
import { startEmbeddedBeside } from '@/bin/embedded'
import { demoPassword } from '@/db/seed/demo/accounts'
import { scriptBytes } from '../factories/page-scripts'
import { startWire } from '../factories/wire'
import { addressCase, measureAddresses } from './addresses'
import { layOutBaseline } from './baseline'
import { browserOf, codeRequests, pages, passwordSignIns } from './cases'
import { domainCase, domainCases, domainSizes, fillDomains } from './domains'
import {
  fillHistory,
  historyCase,
  historyCases,
  size as historySize,
  historyUses,
  plainPage,
  readingAll,
} from './history'
import { importing, measureImporting } from './importing'
import { inviting, measureInviting } from './inviting'
import { deepCases, deepListCases, fillDeepList, fillList, listCases } from './lists'
import { type Measured, measure, send } from './load'
import { fillManaged, managerCase, managerCases, managerSizes, managerUses } from './managers'
import { oidcCases, oidcRatios } from './oidc'
import { fillPeople, peopleCase, peopleCases, peopleSizes, peopleUses } from './people'
import { createStage, environmentOf, machine, originOf, prepareForLoad } from './platform'
import { isChosen, medianOf, type Results, rounds, runInTurn, seconds, warm } from './rounds'
import { exporting, measureExports, measureSealing, sealing } from './sealed'
import { twoSides } from './two-sides'
import { exportedUsers, exportingUsers, fillUsers, userCase, userCases, userSizes, userUses } from './users'
import { hooks, measureWebhooks } from './webhooks'

/** A pattern of cases, which `isChosen` reads; a folder for CPU profiles of the server. */
const { ONLY = '', PROFILE } = process.env

/** The sign-in page of somebody who came from another one: a page with a query isn't cached. */
const rendered = '/platform/login?path=%2Fplatform%2Fprofile'
const slowRedis = 'sign-in, Redis 2 s slow'

const scriptSize = (origin: string): Promise<number> =>
  scriptBytes('/platform/login', async (path) => (await send(origin, { path })).body)

function nextBuild(folder: string) {
  const next = resolve('node_modules/next/dist/bin/next')
  const child = spawn(process.execPath, [next, 'build'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  })
  return new Promise<void>((done, failed) =>
    child.once('exit', (code) => (code === 0 ? done() : failed(new Error(`next build ended with ${code}`)))),
  )
}

// it needs no server: a word that is in no other name starts none
if (isChosen(addressCase)) measureAddresses(rounds)
if (addressCase.startsWith(ONLY) && ONLY !== '') process.exit(0)

const stage = createStage()
const { crew, open, failed } = stage
const embedded = await startEmbeddedBeside({ folder: '.data/bench', durable: true })
const wire = await startWire(embedded.env.REDIS_URL)
open.push(embedded, { stop: () => wire.close() })

try {
  const baselined = ['bare route handler', 'bare dynamic page'].some(isChosen)
  const folder = resolve('.data/bench/baseline')
  if (baselined) await nextBuild(await layOutBaseline(folder))
  const environment = (more?: Record<string, string>) => environmentOf(embedded.env, more)
  const ownEnvironment = await environment()
  const baseline = await environment()
  // R7: another server, whose Redis answers after two seconds
  const slowed = await environment({ REDIS_URL: wire.url })
  Object.assign(process.env, ownEnvironment)
  await stage.build()
  await crew.run({ name: 'the demo data', args: ['dist/prepare.js'], env: ownEnvironment })
  const logins = await prepareForLoad()
  const profiling = PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${PROFILE}`] : []
  await crew.keep({ name: 'the server', args: [...profiling, 'dist/server.js'], env: ownEnvironment }, failed)
  if (baselined) {
    const elsewhere = `data:text/javascript,process.chdir(${encodeURIComponent(JSON.stringify(folder))})`
    const args = ['--import', elsewhere, resolve('dist/server.js')]
    await crew.keep({ name: 'the baseline', args, env: baseline }, failed)
  }
  const [origin = '', bare = '', slowOrigin = ''] = [ownEnvironment, baseline, slowed].map(originOf)

  const stored = await hash(demoPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const signIn = passwordSignIns(origin, logins)
  const cases: Record<string, () => Promise<Measured>> = {
    'bare argon2id': () => measure(8, seconds, async () => Number(await verify(stored, demoPassword))),
    'password sign-in': () => measure(16, seconds, signIn),
    'bare route handler': () => measure(16, seconds, pages(bare, '/style/bare')),
    'code request and entry': () => measure(16, seconds, codeRequests(origin)),
    'bare dynamic page': () => measure(16, seconds, pages(bare, rendered)),
    'sign-in page': () => measure(16, seconds, pages(origin, rendered)),
    'sign-in page, cached': () => measure(16, seconds, pages(origin, '/platform/login')),
    'sign-in page, idle': () => measure(1, seconds, pages(origin, rendered)),
    'sign-in page under sign-ins': async () => {
      const [page] = await Promise.all([measure(1, seconds, pages(origin, rendered)), measure(16, seconds, signIn)])
      return page
    },
  }
  const person = await browserOf(origin, 'services')
  const administrator = await browserOf(origin, 'admin')
  cases['signed-in profile call'] = () => measure(16, seconds, pages(origin, '/api/v1/platform/user/profile', person))
  const slowSignIn = passwordSignIns(slowOrigin, logins)
  if (isChosen(slowRedis)) {
    cases[slowRedis] = async () => {
      wire.slow(2_000)
      const measured = await measure(4, seconds, slowSignIn)
      wire.mend()
      return measured
    }
    await crew.keep({ name: 'the server with a slow Redis', args: ['dist/server.js'], env: slowed }, failed)
    await Promise.all(Array.from({ length: 4 }, slowSignIn))
  }
  if (oidcRatios.some(([, name]) => isChosen(name))) {
    const single = await environment({ PROCESSES: '1' })
    const alone = await environment()
    const script = ['--import', 'tsx', 'tests/bench/bare-provider.ts']
    await crew.keep({ name: 'the server in one process', args: [...profiling, 'dist/server.js'], env: single }, failed)
    await crew.keep({ name: 'the bare provider', args: script, env: alone }, failed)
    const provider = await oidcCases({ origin, single: originOf(single), bare: originOf(alone) }, seconds)
    open.push(provider)
    Object.assign(cases, provider.cases)
    console.log(`a refresh takes ${provider.statements.length} statements:\n${provider.statements.join('\n')}\n`)
  }
  // sign everybody in once, so that their browsers are known, and open the pages, so that nothing is measured cold
  if (Object.keys(cases).some((name) => /sign-in/.test(name) && isChosen(name)))
    for (let n = 0; n < logins.length; n += 16) await Promise.all(Array.from({ length: 16 }, signIn))
  await measure(8, 2, pages(origin, '/platform/login'))
  if (baselined) await measure(8, 2, pages(bare, '/platform/login'))

  const results: Results = new Map()
  const runAll = (cases: Record<string, () => Promise<Measured>>) => runInTurn(cases, results)
  await runAll(cases)
  for (const size of [100, 100_000]) {
    const small = listCases(origin, administrator, size, seconds / 2)
    if (!Object.keys(small).some(isChosen)) continue
    await fillList(size)
    await runAll(small)
  }
  const warmAndRun = async (inTurn: Record<string, () => Promise<Measured>>) => {
    await warm(inTurn)
    await runAll(inTurn)
  }
  if (peopleUses.some((use) => peopleSizes.some((size) => isChosen(peopleCase(use, size))))) {
    const casesOf = async (at: string, size: (typeof peopleSizes)[number]) =>
      peopleCases(at, await browserOf(at, 'admin'), size, seconds / 2)
    await warmAndRun(await twoSides({ folder: 'bench-people', sizes: peopleSizes, fill: fillPeople, casesOf }, stage))
  }
  if (managerUses.some((use) => managerSizes.some((size) => isChosen(managerCase(use, size))))) {
    const casesOf = (at: string, size: (typeof managerSizes)[number]) =>
      managerCases(at, (login) => browserOf(at, login), size, seconds / 2)
    await warmAndRun(
      await twoSides({ folder: 'bench-managers', sizes: managerSizes, fill: fillManaged, casesOf }, stage),
    )
  }
  if (ONLY && userUses.some((use) => userSizes.some((size) => isChosen(userCase(use, size))))) {
    const casesOf = async (at: string, size: number) => userCases(at, await browserOf(at, 'admin'), size, seconds / 2)
    await warmAndRun(await twoSides({ folder: 'bench-users', sizes: userSizes, fill: fillUsers, casesOf }, stage))
  }
  if (domainSizes.some((size) => isChosen(domainCase(size)))) {
    const casesOf = (at: string, size: (typeof domainSizes)[number]) => domainCases(at, size, seconds)
    await warmAndRun(await twoSides({ folder: 'bench-domains', sizes: domainSizes, fill: fillDomains, casesOf }, stage))
  }
  if (ONLY && deepCases.some(isChosen)) {
    await fillDeepList()
    await runAll(await deepListCases(origin, administrator, seconds))
  }
  if (ONLY && isChosen(exportingUsers)) {
    const casesOf = async (at: string, rows: number) => {
      await measureExports(at, await browserOf(at, 'admin'), { list: 'users', rows })
      return {}
    }
    await twoSides({ folder: 'bench-exported-users', sizes: [exportedUsers], fill: fillUsers, casesOf }, stage)
  }
  if (ONLY && isChosen(inviting)) await measureInviting(stage)
  if (ONLY && isChosen(importing)) await measureImporting(stage)
  if (ONLY && isChosen(hooks)) await measureWebhooks(stage)
  const ofHistory = historyUses.some((use) => isChosen(historyCase(use)))
  if (ONLY && (ofHistory || isChosen(sealing) || isChosen(exporting))) {
    await fillHistory()
    if (ofHistory) {
      const { cases: ofAll, close } = await historyCases(origin, administrator, seconds)
      await runAll(ofAll).finally(close)
    }
    if (isChosen(sealing)) await measureSealing(historySize)
    if (isChosen(exporting)) await measureExports(origin, administrator, { list: 'history', rows: historySize })
  }

  const perSecond = (name: string) => medianOf(results, name, (each) => each.perSecond)
  const p95 = (name: string) => medianOf(results, name, (each) => each.p95)
  const rows: [string, string, string][] = [
    [
      'P1 password sign-in / bare argon2id',
      (perSecond('password sign-in') / perSecond('bare argon2id')).toFixed(2),
      '>= 0.6',
    ],
    [
      'P2 sign-in page p95 under sign-ins / idle',
      (p95('sign-in page under sign-ins') / p95('sign-in page, idle')).toFixed(1),
      '<= 3',
    ],
    [
      'P8 sign-in page / bare dynamic page',
      (perSecond('sign-in page') / perSecond('bare dynamic page')).toFixed(2),
      '>= 0.6',
    ],
    [
      'P8 cached sign-in page / bare dynamic page',
      (perSecond('sign-in page, cached') / perSecond('bare dynamic page')).toFixed(2),
      '>= 5',
    ],
    [
      'P9 code request and entry / bare route handler',
      (perSecond('code request and entry') / perSecond('bare route handler')).toFixed(2),
      '>= 0.6',
    ],
    [
      'P3 signed-in profile call / bare route handler',
      (perSecond('signed-in profile call') / perSecond('bare route handler')).toFixed(2),
      '>= 1.7',
    ],
    ...oidcRatios.map(([what, name, base, target]): [string, string, string] => [
      what,
      (perSecond(name) / perSecond(base)).toFixed(2),
      target,
    ]),
    ['p95 of a list of 100 000 rows / of 100', (p95('list of 100000') / p95('list of 100')).toFixed(2), '<= 1.5'],
    [
      'p95 of the last page of 5 million by cursor / of the first',
      (p95(deepCases[2] ?? '') / p95(deepCases[0] ?? '')).toFixed(2),
      '<= 1.5',
    ],
    ...historyUses
      // P11 is the measure of searches
      .filter((use) => !['page 1', 'a part of a name', 'an object by its id'].includes(use))
      .map((use): [string, string, string] => {
        const ratio = p95(historyCase(use)) / p95(historyCase('page 1'))
        return [`P10 history of 5 million rows: p95 of ${use} / of page 1`, ratio.toFixed(2), '<= 1.5']
      }),
    [
      'P10 history of 5 million rows: p95 of a page behind a million rows, ms more than plain SQL',
      (p95(historyCase('a page behind a million rows')) - p95(plainPage)).toFixed(1),
      '<= 10',
    ],
    [
      'P11 reading all rows of the history / a search by a part of a name',
      (p95(readingAll) / p95(historyCase('a part of a name'))).toFixed(0),
      '>= 20',
    ],
    ...peopleUses.map((use): [string, string, string] => {
      const [small, large] = peopleSizes
      const ratio = p95(peopleCase(use, large)) / p95(peopleCase(use, small))
      return [`${use}: p95 of ${large.links} links / of ${small.links}`, ratio.toFixed(2), '<= 1.5']
    }),
    ...managerUses.map((use): [string, string, string] => {
      const [small, large] = managerSizes
      const ratio = p95(managerCase(use, large)) / p95(managerCase(use, small))
      return [`${use}: p95 of ${large.requests} requests / of ${small.requests}`, ratio.toFixed(2), '<= 3']
    }),
    ...userUses.map((use): [string, string, string] => {
      const [small, large] = userSizes
      const ratio = p95(userCase(use, large)) / p95(userCase(use, small))
      return [`users, ${use}: p95 of ${large} / of ${small}`, ratio.toFixed(2), '<= 1.5']
    }),
    [
      'sign-in page with 1 domain / with 1 000',
      (perSecond(domainCase(1)) / perSecond(domainCase(1000))).toFixed(2),
      '<= 1.2',
    ],
    ['R7 sign-in p95 with Redis 2 s slow, ms', p95(slowRedis).toFixed(0), '<= 1000'],
    ['P13 script of the sign-in page, KB gzip', ((await scriptSize(origin)) / 1000).toFixed(1), '<= 150'],
  ]
  console.log(`\n${machine()}; medians of ${rounds} rounds of ${seconds} s\n`)
  for (const name of results.keys())
    console.log(`${name.padEnd(40)} ${perSecond(name).toFixed(0).padStart(6)}/s  p95 ${p95(name).toFixed(1)} ms`)
  console.log('')
  for (const [what, ratio, target] of rows.filter(([, ratio]) => Number(ratio) > 0 && Number.isFinite(Number(ratio))))
    console.log(`${what.padEnd(48)} ${ratio.padStart(6)}   ${target}`)
} finally {
  await stage.stop()
}
