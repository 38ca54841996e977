import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { chromium } from '@playwright/test'
import { inCi, installedChromium, installPackages } from '@/tests/setup/machine'
import { checkAll, isWell, style, types } from './check/parts'
import { redisServerPath } from './embedded/redis'
import { whenNpmIsGone } from './parent'

type Counts = { passed: number; failed: number; skipped: number }
type Stage = { name: string; run: () => Promise<boolean> }

const results = '.data/test-results'
const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
const left: string[] = []
const secondTries: string[] = []
const children = new Set<ChildProcess>()

function add({ passed, failed, skipped }: Counts) {
  counts.passed += passed
  counts.failed += failed
  counts.skipped += skipped
}

/** Runs a Node script in its own process group, so that all of it can be ended, and shows its output. */
function run(args: string[], env: Record<string, string> = {}): Promise<boolean> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', detached: true, env: { ...process.env, ...env } })
  children.add(child)
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => {
      children.delete(child)
      resolve(code === 0)
    })
  })
}

const readJson = async <T>(name: string): Promise<T | undefined> =>
  readFile(`${results}/${name}.json`, 'utf8').then(JSON.parse, () => undefined)

async function runVitest(project: 'unit' | 'integration'): Promise<boolean> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}/${project}.json`]
  const well = await run(['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...reporters])
  type Report = { numPassedTests: number; numFailedTests: number; numPendingTests: number; numTodoTests: number }
  const report = await readJson<Report>(project)
  if (report)
    add({
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    })
  return well
}

async function runPlaywright(project: 'server' | 'browser'): Promise<boolean> {
  const only = ['--config', 'tests/e2e/playwright.config.ts', '--project', project, '--no-deps']
  const env = { PWTEST_CACHE_DIR: '.data/playwright-cache', E2E_REPORT: `${results}/${project}.json` }
  const well = await run(['node_modules/@playwright/test/cli.js', 'test', ...only], env)
  type Suite = { specs: { title: string; file: string; tests: { status: string }[] }[]; suites?: Suite[] }
  type Report = {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number }
    suites: Suite[]
  }
  const report = await readJson<Report>(project)
  if (report) {
    const { expected, unexpected, flaky, skipped } = report.stats
    add({ passed: expected + flaky, failed: unexpected, skipped })
    const specsOf = ({ specs, suites = [] }: Suite): Suite['specs'] => [...specs, ...suites.flatMap(specsOf)]
    const flakes = report.suites.flatMap(specsOf).filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    secondTries.push(...flakes.map(({ file, title }) => `${file}: ${title}`))
  }
  return well
}

/** Prints which tests can't run on this machine; in CI that is a failure. */
async function lookForTools(): Promise<boolean> {
  if (!redisServerPath()) installPackages(['redis-server'])
  // the headless shell is faster; older systems have only the full browser
  for (const name of ['chromium-headless-shell', 'chromium']) if (!installedChromium()) installPackages([name])
  if (!redisServerPath()) left.push('a real Redis: there is no redis-server, an imitation stands in')
  if (!installedChromium()) left.push('browser tests, unless Playwright has a Chromium of its own: there is none here')
  for (const what of left) console.log(`Left out: ${what}`)
  return !inCi || left.length === 0
}

const all = async (...parts: Promise<boolean>[]) => (await Promise.all(parts)).every((well) => well)
const noBrowser = () => !installedChromium() && !existsSync(chromium.executablePath())

// two at a time, for two cores; the type check follows the build, which generates the types of routes and messages
const stages: Stage[] = [
  { name: 'tools', run: lookForTools },
  {
    name: 'build, style',
    run: () => all(run(['--import', 'tsx', 'bin/build.ts', '--if-needed']), checkAll(style).then(isWell)),
  },
  {
    name: 'types, unit and integration tests',
    run: () =>
      all(
        checkAll([types]).then(isWell),
        runVitest('unit').then((well) => well && runVitest('integration')),
      ),
  },
  { name: 'server tests', run: () => runPlaywright('server') },
  { name: 'browser tests', run: async () => noBrowser() || runPlaywright('browser') },
]

async function main(): Promise<boolean> {
  await rm(results, { recursive: true, force: true })
  await mkdir(results, { recursive: true })
  const done: string[] = []
  let well = true
  for (const { name, run } of stages) {
    if (!well) {
      done.push(`  –  ${name}: not run`)
      continue
    }
    const startedAt = Date.now()
    well = await run()
    done.push(`  ${well ? '✓' : '✗'}  ${name} (${((Date.now() - startedAt) / 1000).toFixed(0)} s)`)
  }
  if (inCi && counts.skipped > 0) well = false
  console.log(
    [
      '',
      ...done,
      ...left.map((what) => `  Left out: ${what}`),
      ...secondTries.map((what) => `  Passed at its second try only: ${what}`),
      '',
    ].join('\n'),
  )
  // a stage that fails without a failed test must not look like a success
  const failed = well ? counts.failed : Math.max(1, counts.failed)
  console.log(`${counts.passed} passed, ${failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`)
  return well
}

function interrupt() {
  for (const { pid } of children) if (pid) process.kill(-pid, 'SIGINT')
  setTimeout(() => process.exit(130), 10_000).unref()
}
process.on('SIGINT', interrupt)
process.on('SIGTERM', interrupt)
whenNpmIsGone(interrupt)

process.exit((await main()) ? 0 : 1)
