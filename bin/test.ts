import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { chromium } from '@playwright/test'
import { secondsFile } from '@/tests/setup/expected'
import { inCi, installedChromium, installPackages } from '@/tests/setup/machine'
import type { Said } from '@/tests/setup/turn'
import { check, generateTypes, style, types } from './check/parts'
import { redisServerPath } from './embedded/redis'
import { whenNpmIsGone } from './parent'
import { firstOf } from './test/changed'
import { chooseChanged, mapFile, note, writeSpokenList, writeTestList } from './test/choice'
import { costTable } from './test/cost'
import { processorSeconds } from './test/processor'
import { openQueue, whatIsLeft } from './test/queue'

const isFull = process.argv.includes('--full')
const isChanged = process.argv.includes('--changed')
const measuresCost = process.argv.includes('--cost')
/** `npm run test:changed -- main` takes what has changed since then. */
const since = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? 'HEAD'
/** Seconds that the chosen tests may take one after another, beside the build and the check of types. */
const mostSeconds = 240
const seed = process.env.TEST_SEED || new Date().toISOString().slice(0, 10).replaceAll('-', '')
const scope: Record<string, string> = isFull
  ? { TEST_SCOPE: 'full', TEST_SEED: seed, TEST_MAP: '1' }
  : { TEST_SCOPE: 'main' }
const again = isFull ? `TEST_SCOPE=full TEST_SEED=${seed} ` : ''
const results = '.data/test-results'

type Failure = { kind?: string; what: string; text: string; command: string }
let passed = 0
const skipped: string[] = []
const failures: Failure[] = []
const left: string[] = []
const children = new Set<ChildProcess>()
const startedAt = Date.now()
let interrupted = false

const clock = (ms: number) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`
const shortened = (text: string, lines: number) =>
  text
    .split('\n')
    .slice(0, lines)
    .map((line) => `    ${line}`)
    .join('\n')

function fail(failure: Failure) {
  failures.push(failure)
  console.log(`\n✗ ${failure.what}\n${shortened(failure.text, 40)}\n    Again: ${failure.command}\n`)
}

/** By test file: the source files that it ran. */
const ran: Record<string, string[]> = {}

function heard(said: Said) {
  if ('ran' in said) ran[said.by] = [...new Set([...(ran[said.by] ?? []), ...said.ran])].toSorted()
  if (!('ended' in said)) return
  if (said.failed !== undefined)
    fail({ kind: said.kind, what: `${said.kind}: ${said.ended}`, text: said.failed, command: `${again}${said.again}` })
  else if (said.skipped) skipped.push(`${said.kind}: ${said.ended}`)
  else passed++
}

/** The seconds that each piece took, and what it cost if that is measured. */
const took: Record<string, number> = {}
const cost: { kind: string; name: string; seconds: number }[] = []

function measured(kind: string, name: string) {
  const [at, before] = [Date.now(), measuresCost ? processorSeconds() : 0]
  return () => {
    took[name] = (Date.now() - at) / 1000
    if (measuresCost) cost.push({ kind, name, seconds: processorSeconds() - before })
  }
}

/**
 * Runs a Node script in its own process group, so that all of it can be ended, with its output in a file. Returns whether
 * it went well; if not, and no failed test of these kinds explains it, the end of the output is shown.
 */
async function run(
  name: string,
  args: string[],
  env: Record<string, string> = {},
  kinds: readonly string[] = [],
): Promise<boolean> {
  const path = `${results}/${name}.log`
  const before = failures.length
  const log = createWriteStream(path)
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, ...scope, ...env },
  })
  children.add(child)
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(1))
    child.once('close', resolve)
  })
  children.delete(child)
  await new Promise((done) => log.end(done))
  if (code === 0) return true
  const text = (await readFile(path, 'utf8')).trimEnd().split('\n').slice(-40).join('\n')
  if (!failures.slice(before).some(({ kind }) => kind && kinds.includes(kind)))
    fail({ what: name, text, command: `npm run ${process.env.npm_lifecycle_event ?? 'test'}` })
  return false
}

/** Prints which tests can't run on this machine; in CI that is a failure. */
function lookForTools(): boolean {
  const hasChromium = () => Boolean(installedChromium()) || existsSync(chromium.executablePath())
  if (!redisServerPath()) installPackages(['redis-server'])
  // the headless shell is faster; older systems have only the full browser
  for (const name of ['chromium-headless-shell', 'chromium']) if (!hasChromium()) installPackages([name])
  if (!redisServerPath()) left.push('a real Redis: there is no redis-server, an imitation stands in')
  if (!hasChromium()) left.push('browser tests: there is no Chromium here, and Playwright has none of its own')
  for (const what of left) console.log(`Left out: ${what}`)
  return !inCi || left.length === 0
}

/** Of chosen files all tests run, also those with the tag `full`: some have no other. The choice counts their seconds. */
const chosenScope: Record<string, string> = { TEST_SCOPE: 'changed' }

const vitest = (socket: string, files: readonly string[]) =>
  run(
    'vitest',
    [
      ...['node_modules/vitest/vitest.mjs', 'run'],
      ...['--project', 'unit', '--project', 'docs', '--project', 'integration'],
      ...['--reporter=tests/setup/run-reporter.ts', ...(isFull || files.length > 0 ? [] : ['--tags-filter=!full'])],
      ...files,
    ],
    { ...(files.length > 0 ? chosenScope : {}), TEST_QUEUE: socket },
    ['unit', 'docs', 'integration', 'vitest'],
  )

const playwright = (name: string, socket: string, list: string | undefined, env: Record<string, string>) =>
  run(
    name,
    [
      ...['node_modules/@playwright/test/cli.js', 'test', '--config', 'tests/e2e/playwright.config.ts'],
      // each run empties the folder of its pictures
      `--output=${results}/${name}`,
      ...(isFull ? [`--shuffle=${seed}`] : []),
      ...(list ? [`--test-list=${list}`] : []),
    ],
    { ...env, TEST_QUEUE: socket, PWTEST_CACHE_DIR: '.data/playwright-cache' },
    ['server', 'browser', 'sweep', 'global'],
  )

/** Runs the browser tests, those of a list alone if there is one; a full run then those that speak, in the other language. */
async function inBrowser(socket: string, list: string | undefined): Promise<boolean> {
  const well = await playwright('playwright', socket, list, list ? chosenScope : {})
  if (!isFull || interrupted) return well
  const spoken = `${results}/spoken.txt`
  await writeSpokenList(spoken)
  return (await playwright('playwright-other', socket, spoken, { TEST_LANGUAGE: 'other' })) && well
}

/** What is run: all, or the chosen files. */
type Wanted = { style: typeof style; vitest: readonly string[] | undefined; browser: boolean; list?: string }

/** Says which tests a change concerns, and why not all. */
async function wantedByChange(): Promise<Wanted | undefined> {
  const choice = await chooseChanged(since, mostSeconds)
  if (choice.everything) {
    console.log(`All tests depend on ${choice.everything}.`)
    return undefined
  }
  const list = `${results}/tests.txt`
  const browser = await writeTestList(list, choice)
  const files = choice.tests.filter((file) => !file.startsWith('tests/e2e/'))
  console.log(`${choice.changed.length} files have changed since ${since}: ${choice.tests.length} test files run them.`)
  if (choice.unknown > 0)
    console.log(`No full run has noted what ${choice.unknown} test files run: they are chosen by their imports.`)
  if (choice.beyond.length > 0)
    console.log(
      `${choice.beyond.length} more test files and pages use them, and are left to npm test: ${firstOf(choice.beyond)}`,
    )
  return {
    style: style.filter(({ name }) => name === 'format and lint'),
    vitest: files.length > 0 ? files : undefined,
    browser,
    list,
  }
}

async function everything({ style, vitest: files, browser, list }: Wanted): Promise<boolean> {
  // a piece waits for services now and then, so one more than processors
  const slots = measuresCost ? 1 : availableParallelism() + 1
  const queue = await openQueue({ slots, heard, measured })
  // what others wait for comes first, then what is in one piece
  if (browser) queue.expect('build', { build: 100_000 })
  queue.expect('check', Object.fromEntries([...style, types].map(({ name }) => [name, 10_000])))
  const checked = async (part: typeof types) => {
    const { well } = await queue.run('check', part.name, () => check(part))
    if (!well) fail({ what: part.name, text: 'see above', command: 'npm run check' })
    return well
  }
  // what is measured is built anyway, so that the table is of all stages
  const build = () => run('build', ['--import', 'tsx', 'bin/build.ts', ...(measuresCost ? [] : ['--if-needed'])])
  const built = browser ? queue.run('build', 'build', build) : checked(generateTypes)
  const progress = setInterval(() => {
    console.log(`${clock(Date.now() - startedAt)}  left: ${whatIsLeft(queue.left)}; failed: ${failures.length}`)
  }, 20_000)
  try {
    const work = [
      // the type check needs the types of routes and messages, which the build generates
      built.then((well) => well && checked(types)),
      ...(browser ? [built.then((well) => well && inBrowser(queue.path, list))] : []),
      ...(files ? [vitest(queue.path, files)] : []),
      ...style.map(checked),
    ]
    return (await Promise.all(work)).every(Boolean)
  } finally {
    clearInterval(progress)
    await queue.close()
  }
}

async function main(): Promise<boolean> {
  await rm(results, { recursive: true, force: true })
  await mkdir(results, { recursive: true })
  if (isFull) console.log(`The seed of this run is ${seed}.`)
  const all: Wanted = { style, vitest: [], browser: true }
  const selection = isChanged ? ((await wantedByChange()) ?? all) : all
  let well = lookForTools() && (await everything(selection))
  if (inCi && skipped.length > 0) well = false
  if (measuresCost) console.log(costTable(cost, processorSeconds()))
  // a test that wasn't reached keeps what is known of it
  await note(secondsFile, took)
  await note(mapFile, ran)

  if (failures.length > 0) console.log(`\nFailed, each with the command that repeats it alone:`)
  for (const { what, command } of failures) console.log(`  ✗ ${what}\n      ${command}`)
  for (const what of [...left, ...skipped]) console.log(`Left out: ${what}`)
  const tagged = selection.list ? 'tests that this does not concern' : 'tests with the tag “full”'
  if (!isFull)
    console.log(`Left out until npm run test:full: ${tagged}, further states of screens, four of five random cases.`)
  if (interrupted) console.log('Interrupted: not all of it has run.')
  console.log(`${clock(Date.now() - startedAt)} minutes, ${processorSeconds().toFixed(0)} processor seconds`)
  // what fails without a failed test must not look like a success
  const failed = well ? failures.length : Math.max(1, failures.length)
  console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`)
  return well && failures.length === 0
}

function signal(name: NodeJS.Signals) {
  for (const { pid, exitCode, signalCode } of children)
    if (pid && exitCode === null && signalCode === null) process.kill(-pid, name)
}

function interrupt() {
  interrupted = true
  signal('SIGINT')
  setTimeout(() => {
    // a build that is busy hears nothing else
    signal('SIGKILL')
    process.exit(130)
  }, 10_000).unref()
}
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, interrupt)
whenNpmIsGone(interrupt)

process.exit((await main()) ? 0 : 1)
