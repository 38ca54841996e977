import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import { changeThing, listenToThings, thingOf } from '../../factories/events'
import { startWorker } from '../../factories/worker-process'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const running = new Set<Awaited<ReturnType<typeof startWorker>>>()
afterEach(async () => {
  for (const worker of running) await worker.end('SIGKILL')
  running.clear()
})

const name = 'remote'
// this process stores events for the handler and runs none of its jobs
listenToThings(name)

/** A worker whose handler records in the database when a try begins and when it ends. */
async function worker(work = '', more = '') {
  const started = await startWorker(`
    const { onDelivered } = await load('lib/base/events/handlers.ts')
    const { db } = await load('db/client.ts')
    const { sql } = await import('drizzle-orm')
    const note = (kind, id, count) => db().execute(sql\`insert into history (type, entity, entity_id, field, request_id)
      values ('update', 'noted', \${id}, \${count}, \${kind})\`)
    onDelivered('${thingOf(name)}', '${name}', async ({ entityId, changes }, { attempt, signal }) => {
      const count = changes.count.current
      await note('began', entityId, count)
      ${work}
      await note('ended', entityId, count)
    })
    return { ...allTasks(), ${more} }`)
  running.add(started)
  return started
}

/** Returns what the handlers of all processes recorded for an object, in order. */
async function noted(id: string): Promise<string[]> {
  const { rows } = await db().execute<{ what: string }>(
    sql`select request_id || ' ' || field as what from history where entity = 'noted' and entity_id = ${id} order by id`,
  )
  return rows.map(({ what }) => what)
}
const ended = async (id: string) => [...new Set((await noted(id)).filter((what) => what.startsWith('ended')))]
const all = (count: number) => Array.from({ length: count }, (_, at) => `ended ${at + 1}`)
const storing = (id: string) => db().transaction((tx) => changeThing(tx, name, id))

/** Expects that each event is tried again before the next one begins, and that no two run at once. */
function expectOrder(notes: string[]) {
  let last = 0
  for (const note of notes) {
    const [kind, count] = [note.split(' ')[0], Number(note.split(' ')[1])]
    if (kind === 'began') expect([last, last + 1]).toContain(count)
    else expect(count).toBe(last)
    last = count
  }
}

test('if a worker is killed during a delivery, another one repeats it and continues in order', async () => {
  const id = crypto.randomUUID()
  for (let at = 0; at < 5; at++) await storing(id)
  const first = await worker(`if (count === 3 && attempt === 1) process.kill(process.pid, 'SIGKILL')`)
  expect(await first.ended).toBe('SIGKILL')
  expect(await noted(id)).toEqual(['began 1', 'ended 1', 'began 2', 'ended 2', 'began 3'])
  await storing(id)
  await worker()
  await expect.poll(() => ended(id), { timeout: 18_000 }).toEqual(all(6))
  const notes = await noted(id)
  expectOrder(notes)
  expect(notes.filter((note) => note === 'began 3')).toHaveLength(2)
}, 40_000)

test('with two workers, 30 writers and a kill, every object is delivered in order, without loss and without parallel deliveries', {
  tags: ['full'],
  timeout: 60_000,
}, async () => {
  const objects = Array.from({ length: 6 }, () => crypto.randomUUID())
  const slowly = `await new Promise((resolve) => setTimeout(resolve, 5))
    if (attempt === 1 && count % 7 === 0) throw new Error('not now')`
  const [victim] = await Promise.all([worker(slowly), worker(slowly)])
  const writers = Promise.all(
    Array.from({ length: 30 }, async (_, at) => {
      for (let round = 0; round < 2; round++) await storing(objects[(at + round) % objects.length] ?? '')
    }),
  )
  await expect.poll(async () => (await ended(objects[0] ?? '')).length, { timeout: 10_000 }).toBeGreaterThan(0)
  expect(await victim.end('SIGKILL')).toBe('SIGKILL')
  await writers
  for (const id of objects) {
    await expect.poll(() => ended(id), { timeout: 25_000 }).toEqual(all(10))
    expectOrder(await noted(id))
  }
})

test('a worker that must stop tells the handler and leaves the rest to the next one', {
  tags: ['full'],
  timeout: 60_000,
}, async () => {
  const id = crypto.randomUUID()
  for (let at = 0; at < 8; at++) await storing(id)
  const first = await worker(`await new Promise((resolve, reject) => {
    setTimeout(resolve, 900)
    signal.addEventListener('abort', () => reject(signal.reason))
  })`)
  await expect.poll(() => noted(id), { timeout: 10_000 }).toContain('began 1')
  expect(await first.end('SIGTERM')).toBe(0)
  const notes = await noted(id)
  expect(notes.at(-1)).toMatch(/^began [2-7]$/)
  await worker()
  await expect.poll(() => ended(id), { timeout: 18_000 }).toEqual(all(8))
  const whole = await noted(id)
  expectOrder(whole)
  // only the interrupted delivery is repeated
  expect(whole.slice(notes.length - 1)[0]).toBe(notes.at(-1))
  expect(whole.slice(notes.length)[0]).toBe(notes.at(-1))
  expect(whole.filter((note) => note.startsWith('ended'))).toEqual(all(8))
})

test('a handler that hangs on more objects than a worker runs jobs delays no other jobs', {
  tags: ['full'],
  timeout: 40_000,
}, async () => {
  const objects = Array.from({ length: 12 }, () => crypto.randomUUID())
  for (const id of objects) await storing(id)
  const hanging = await worker(
    'await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))',
    `'test-note': async ({ id }) => void (await note('did', id, 'job'))`,
  )
  const begun = async () => (await Promise.all(objects.map(noted))).flat().length
  await expect.poll(begun, { timeout: 10_000 }).toBeGreaterThanOrEqual(4)
  const id = crypto.randomUUID()
  await db().execute(sql`select graphile_worker.add_job('test-note', ${JSON.stringify({ id })}::json)`)
  // a try may take 30 seconds
  await expect.poll(() => noted(id), { timeout: 10_000 }).toEqual(['did job'])
  expect(await hanging.end('SIGTERM')).toBe(0)
})
