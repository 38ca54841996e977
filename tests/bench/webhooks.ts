import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedBeside } from '@/bin/embedded'
import { browserOf } from './cases'
import { cpuBetween, cpuTimes } from './cpu'
import { send } from './load'
import { environmentOf, type Stage } from './platform'
import { end, startWorker } from './workers'

export const hooks = 'events to a webhook'
const rows = Number(process.env.ROWS ?? 100_000)
/** The most megabytes that a worker may take more than while it has nothing to do. */
const mostMemory = 100

/** A receiver on this machine that counts how often each message came. */
async function startReceiver() {
  const received = new Map<string, number>()
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    received.set(id, (received.get(id) ?? 0) + 1)
    request.resume()
    request.once('end', () => response.writeHead(204).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

/** Megabytes of memory of a process. */
const memoryOf = ({ pid }: ChildProcess) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024

/** An application that may hear of users, with a webhook. Returns what its calls take. */
async function listening(owner: pg.Client, origin: string, url: string) {
  const { rows: applications } = await owner.query<{ id: string }>(
    `select id from applications where code = 'warehouse'`,
  )
  const id = applications[0]?.id ?? ''
  await owner.query(
    `insert into application_service_methods (application_id, method_id)
     select $1, id from methods where kind = 'systemic' and code = 'users.read' on conflict do nothing`,
    [id],
  )
  const cookies = await browserOf(origin, 'admin')
  const call = async (path: string, body: object) => {
    const answer = await send(origin, {
      method: 'POST',
      path: `/api/v1/platform/setting/applications/${id}/webhooks${path}`,
      body,
      cookies,
    })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status} ${answer.body}`)
    return JSON.parse(answer.body)
  }
  const { id: webhookId } = await call('', { name: hooks, url, types: ['user.updated'] })
  return { webhookId: webhookId as string, replay: (span: object) => call(`/${webhookId}/replay`, span) }
}

/**
 * Stores changes of users as verbs do, but in few statements: a tenth of them of one object, the others of objects that
 * change twice.
 */
async function change(owner: pg.Client, handler: string) {
  await owner.query('begin')
  await owner.query(
    `insert into outbox_events (topic, type, entity, entity_id, payload, request_id, date)
     select 'users', 'update', 'users', case when n % 10 = 0 then 'one' else md5((n / 2)::text) end,
       '{"fio": {"previous": "Ковалёва Вера", "current": "Петрова Вера"}}', 'bench', now() from generate_series(1, $1::int) n`,
    [rows],
  )
  await owner.query(
    `insert into outbox_deliveries (event_id, handler, entity, entity_id)
     select id, $1, entity, entity_id from outbox_events where request_id = 'bench'`,
    [handler],
  )
  // in one call: one for each of the streams of 100 000 events took longer than 25 minutes
  await owner.query(
    `select count(*) from graphile_worker.add_jobs((select array_agg(('event:webhook',
       json_build_object('handler', $1::text, 'entity', entity, 'entityId', entity_id), null, null, null,
       'event:' || $1 || ':' || md5(entity || ' ' || entity_id), 10, null)::graphile_worker.job_spec)
     from (select distinct entity, entity_id from outbox_deliveries where handler = $1) stream))`,
    [handler],
  )
  await owner.query('commit')
  await owner.query('analyze')
}

/**
 * Sends so many events to a receiver on this machine, and once more by a replay of their span. Stops the benchmark unless
 * each arrives each time. Prints how fast that was, and how much more memory the worker took than without work.
 */
export async function measureWebhooks({ crew, open, failed }: Stage) {
  const services = await startEmbeddedBeside({ folder: '.data/bench-webhooks', durable: true })
  open.push(services)
  const env = await environmentOf(services.env, { PROCESSES: '1' })
  await crew.run({ name: 'the demo data', args: ['dist/prepare.js'], env })
  await crew.keep({ name: 'the server of webhooks', args: ['dist/server.js'], env }, failed)
  const owner = new pg.Client(services.env.DATABASE_OWNER_URL)
  await owner.connect()
  await owner.query(`delete from webhooks where name = $1`, [hooks])
  await owner.query(`delete from outbox_events where request_id = 'bench'`)
  const receiver = await startReceiver()
  const hook = await listening(owner, `http://127.0.0.1:${env.PORT}`, receiver.url)
  const worker = await startWorker(await environmentOf(services.env))
  // what a start needs isn't counted
  await pause(10_000)
  const idle = memoryOf(worker)
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(worker))
  }, 200)
  const counts = async () => {
    const { rows: counted } = await owner.query<{ state: string; count: number }>(
      'select state, count(*)::int as count from outbox_deliveries where handler = $1 group by state',
      [`webhook:${hook.webhookId}`],
    )
    return Object.fromEntries(counted.map(({ state, count }) => [state, count]))
  }
  const arrived = async (times: number) => {
    for (;;) {
      const full = receiver.received.size === rows && [...receiver.received.values()].every((count) => count >= times)
      if (full && (await counts()).delivered === rows) return
      if (worker.exitCode !== null) throw new Error('the worker ended')
      await pause(1_000)
    }
  }
  const timed = async (what: string, begin: () => Promise<unknown>, times: number) => {
    peak = memoryOf(worker)
    await begin()
    const [began, before] = [performance.now(), cpuTimes()]
    await arrived(times)
    const [seconds, after] = [(performance.now() - began) / 1_000, cpuTimes()]
    const cpu = before && after ? cpuBetween(before, after) : null
    const each = cpu
      ? `, CPU ms of each: worker ${(cpu.server / rows).toFixed(1)}, postgres ${(cpu.postgres / rows).toFixed(1)}`
      : ''
    const more = peak - idle
    console.log(
      `${hooks}, ${what}: ${rows} in ${seconds.toFixed(0)} s, ${(rows / seconds).toFixed(0)}/s${each}, memory + ${more.toFixed(0)} MB of ${idle.toFixed(0)} (<= ${mostMemory})`,
    )
    if (more > mostMemory) throw new Error(`the worker took ${more.toFixed(0)} MB more`)
  }
  try {
    const begun = new Date()
    await timed('sent', () => change(owner, `webhook:${hook.webhookId}`), 1)
    const again = [...receiver.received.values()].filter((count) => count > 1).length
    if (again > 0) throw new Error(`${again} messages came more than once`)
    const span = { from: new Date(begun.getTime() - 1_000).toISOString(), to: new Date().toISOString() }
    await timed('replayed', () => hook.replay(span), 2)
  } finally {
    clearInterval(watch)
    await end(worker, 'SIGTERM')
    await owner.end()
  }
}
