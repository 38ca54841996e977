import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Embedded, startEmbedded } from '@/bin/embedded'
import { freePort } from '@/bin/embedded/process'
import { demoPassword as password } from '@/db/seed/demo/accounts'
import { restClient } from '../e2e/rest-client'
import { startServer, startWorker } from '../e2e/server-process'

// What a dependency's failure shows: on the screen, in the metrics and in the alerts (docs/rules/monitoring.md#turns).
// It needs a build, and some minutes: MINUTES is how long the platform is loaded while no check may fail.

const { MINUTES, PROMTOOL } = process.env
const looksPerFailure = 90_000

let folder = ''
let services: Embedded
let address = ''
let metrics = ''
let shop: Server
/** What the application's own server does with a request. */
let answers: 'well' | 'never' | 'full' = 'well'
const answer = async (how: typeof answers) => {
  answers = how
}
const stops: (() => Promise<unknown>)[] = []

const asOwner = async <T>(work: (client: pg.Client) => Promise<T>) => {
  const client = new pg.Client(services.env.DATABASE_OWNER_URL)
  await client.connect()
  return work(client).finally(() => client.end())
}

async function listen() {
  shop = createServer((_, response) => {
    if (answers === 'never') return
    response.writeHead(answers === 'full' ? 507 : 200).end()
  })
  await new Promise<void>((done) => shop.listen(shopPort, '127.0.0.1', done))
}
let shopPort = 0
let application = /^application:/

beforeAll(async () => {
  if (!MINUTES) return
  folder = await mkdtemp(join(tmpdir(), 'monitoring-'))
  services = await startEmbedded({ folder, durable: false })
  stops.push(services.stop)
  shopPort = await freePort()
  const port = await freePort()
  const workerMetrics = await freePort()
  const env: Record<string, string> = {
    ...services.env,
    NODE_ENV: 'production',
    PLATFORM_MODE: 'test',
    PUBLIC_URL: `http://localhost:${port}`,
    HOST: '127.0.0.1',
    WORKER_METRICS_PORT: String(workerMetrics),
    LOG_LEVEL: 'fatal',
  }
  await promisify(execFile)(process.execPath, ['dist/prepare.js'], {
    env: { ...process.env, ...env } as NodeJS.ProcessEnv,
  })
  await listen()
  stops.push(async () => shop.close())
  const code = await asOwner(async (client) => {
    const { rows } = await client.query<{ code: string }>(
      `update applications set url = $1 where id = (select id from applications
        where url is not null and enabled order by id limit 1) returning code`,
      [`http://127.0.0.1:${shopPort}/`],
    )
    return rows[0]?.code ?? ''
  })
  application = new RegExp(`^application:${code}$`)
  const server = await startServer({ ...env, PORT: String(port) })
  const worker = await startWorker(env)
  stops.push(async () => {
    for (const { child, ended } of [server, worker]) {
      child.kill('SIGTERM')
      await ended
    }
  })
  address = `http://localhost:${port}`
  metrics = `http://127.0.0.1:${workerMetrics}/metrics`
}, 120_000)

afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
  if (folder) await rm(folder, { recursive: true, force: true })
}, 60_000)

type Row = { key: string; status: 'up' | 'down'; lastError: string | null }
type Client = ReturnType<typeof restClient>

async function administrator(): Promise<Client> {
  const client = restClient(address)
  expect(await client.signIn('admin', password)).toBe(200)
  return client
}

const screenOf = async (client: Client, key: RegExp) => {
  const answer = await client.send('GET', '/setting/monitoring?meta[perPage]=100')
  const { data } = (await answer.json()) as { data: Row[] }
  return data.find((row) => key.test(row.key))
}

const linesOf = async (key: RegExp) =>
  (await (await fetch(metrics)).text())
    .split('\n')
    .filter((line) => line.startsWith('platform_check_up') && key.test(/key="([^"]*)"/.exec(line)?.[1] ?? ''))
const sampleOf = (line = '') => Number(line.split(' ').at(-1))

async function until(what: string, holds: () => Promise<boolean>) {
  const end = Date.now() + looksPerFailure
  while (!(await holds().catch(() => false))) {
    if (Date.now() > end) throw new Error(`${what} did not come`)
    await new Promise((later) => setTimeout(later, 1_000))
  }
}

/** Expects an alert if the series, staying as the platform shows it for a quarter of an hour, is 0, and none if it is 1. */
async function expectAlert(line: string): Promise<void> {
  if (!PROMTOOL) return
  const [series = ''] = line.split(' ')
  const file = join(folder, 'alerts.test.yml')
  await writeFile(
    file,
    `rule_files: [${resolve('docs/operations/alerts.yml')}]
evaluation_interval: 15s
tests:
  - interval: 15s
    input_series: [{ series: '${series}', values: '${sampleOf(line)}x60' }]
    promql_expr_test:
      - expr: count(ALERTS{alertstate="firing"}) or vector(0)
        eval_time: 14m
        exp_samples: [{ labels: '{}', value: ${1 - sampleOf(line)} }]
`,
  )
  const { stdout } = await promisify(execFile)(PROMTOOL, ['test', 'rules', file])
  expect(stdout).toContain('SUCCESS')
}

async function failsAndRecovers(key: RegExp, breaks: () => Promise<unknown>, mends: () => Promise<unknown>) {
  const client = await administrator()
  const up = async () => (await screenOf(client, key))?.status === 'up' && sampleOf((await linesOf(key))[0]) === 1
  await until(`${key} up`, up)
  await breaks()
  try {
    await until(`${key} down on the screen`, async () => {
      // looking anew is what an administrator does who has a suspicion
      await client.send('POST', '/setting/monitoring/refresh', {})
      return (await screenOf(client, key))?.status === 'down'
    })
    expect((await screenOf(client, key))?.lastError).toMatch(/\S/)
    await until(`${key} down in the metrics`, async () => sampleOf((await linesOf(key))[0]) === 0)
    await expectAlert((await linesOf(key))[0] ?? '')
  } finally {
    await mends()
  }
  await until(`${key} up again`, up)
  await expectAlert((await linesOf(key))[0] ?? '')
}

test.runIf(MINUTES).each([
  ['stopped', () => new Promise((done) => shop.close(done).closeAllConnections()), listen],
  ['hung', () => answer('never'), () => answer('well')],
  ['full', () => answer('full'), () => answer('well')],
] as const)(
  'an application that is %s is down on the screen, in the metrics and by an alert',
  async (_, breaks, mends) => {
    await failsAndRecovers(application, breaks, mends)
  },
)

test.runIf(MINUTES)('a full Redis is down on the screen, in the metrics and by an alert', async () => {
  const redis = new Redis(services.env.REDIS_URL)
  const set = (limit: string) => redis.config('SET', 'maxmemory', limit)
  await redis.config('SET', 'maxmemory-policy', 'noeviction')
  await failsAndRecovers(
    /redis/i,
    () => set('1mb'),
    () => set('0'),
  )
  await redis.quit()
})

test.runIf(MINUTES)('a Redis that hangs is down on the screen, in the metrics and by an alert', async () => {
  const redis = new Redis(services.env.REDIS_URL)
  const pid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1])
  redis.disconnect()
  await failsAndRecovers(
    /redis/i,
    async () => process.kill(pid, 'SIGSTOP'),
    async () => process.kill(pid, 'SIGCONT'),
  )
})

test.runIf(MINUTES)(
  'under full load no check fails, and no status changes',
  async () => {
    const end = Date.now() + Number(MINUTES) * 60_000
    let calls = 0
    let failed = 0
    const load = async (login: string) => {
      const one = restClient(address)
      while (Date.now() < end) {
        const status = await one.signIn(login, password)
        const page = await one.page('/platform/apps')
        calls += 3
        if (status >= 500 || page.status >= 500) failed++
        await page.arrayBuffer()
      }
    }
    const watched = (await linesOf(/./)).filter((line) => sampleOf(line) === 1).map((line) => line.split(' ')[0])
    expect(watched.length).toBeGreaterThan(3)
    const down: string[] = []
    const watch = async () => {
      while (Date.now() < end) {
        for (const line of await linesOf(/./))
          if (sampleOf(line) === 0 && watched.includes(line.split(' ')[0])) down.push(line)
        await new Promise((later) => setTimeout(later, 2_000))
      }
    }
    await Promise.all([watch(), ...Array.from({ length: 24 }, (_, n) => load(n % 2 ? 'services' : 'one-service'))])
    console.log(`${calls} calls in ${MINUTES} minutes, ${failed} of them failed`)
    expect(down).toEqual([])
    expect(calls).toBeGreaterThan(Number(MINUTES) * 500)
  },
  Number(MINUTES ?? 0) * 60_000 + 120_000,
)
