import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { onDelivered } from '@/lib/base/events/handlers'
import { putEvent, putEvents, type RecordedEvent } from '@/lib/base/events/outbox'
import { change, thingOf } from '../../factories/events'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { statementsOf } from '../../factories/statements'
import { createHook } from '../../factories/webhooks'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
onDelivered('users', 'own', async () => {})

const random = caseNumbers(2909)
const acts = ['create', 'update', 'delete'] as const
const receiver = 'http://127.0.0.1:9/'
const pick = <T>(list: readonly T[]) => list[random(list.length)] as T

/** What is stored for a change with this request id: its events, their deliveries and the jobs of their queues. */
async function storedFor(requestId: string, objects: readonly string[]) {
  const { rows: events } = await db().execute<{
    object: string
    type: string
    payload: unknown
    handlers: string[]
  }>(sql`
    select e.entity_id as object, e.type, e.payload, e.changer_id, e.date,
      (select array_agg(d.handler || ' ' || d.state order by d.handler) from outbox_deliveries d
        where d.event_id = e.id and (d.entity, d.entity_id) = (e.entity, e.entity_id)) as handlers
    from outbox_events e where e.request_id = ${requestId} order by e.id`)
  const { rows: jobs } = await db().execute<{ object: string }>(sql`
    select payload->>'entityId' as object, payload->>'handler' as handler, priority, flags::text
    from graphile_worker._private_jobs jobs where payload->>'entityId' = any(${sql.param([...objects])}::text[])`)
  const named = <T extends { object: string }>(rows: readonly T[]) =>
    rows.map((row) => ({ ...row, object: objects.indexOf(row.object) }))
  const text = (row: unknown) => JSON.stringify(row)
  return { events: named(events), jobs: named(jobs).toSorted((a, b) => (text(a) < text(b) ? -1 : 1)) }
}

test('many changes are stored as one after another: in their order, for the same handlers, with one job for each queue', async () => {
  for (const types of [['user.created'], ['user.updated', 'user.deleted'], ['user.updated']])
    await createHook(receiver, { types })
  const entities = ['users', thingOf('nobody')] as const
  let delivered = 0
  for (const _ of eachRound(60, () => delivered > 50)) {
    const entity = pick(entities)
    const changes = Array.from({ length: random(30) }, (_, count) => ({
      object: random(6),
      event: { type: pick(acts), changes: { count: { current: `"${count}'\\` } }, date: new Date(count) },
    }))
    const store = async (put: (events: RecordedEvent[]) => Promise<unknown>) => {
      const [requestId, objects] = [randomUUID(), Array.from({ length: 6 }, () => randomUUID())]
      await put(changes.map(({ object, event }) => change(entity, objects[object] ?? '', { ...event, requestId })))
      return storedFor(requestId, objects)
    }
    const together = await store((events) => db().transaction((tx) => putEvents(tx, entity as never, events)))
    const singly = await store((events) =>
      db().transaction(async (tx) => {
        for (const event of events) await putEvent(tx, event)
      }),
    )
    expect(together).toEqual(singly)
    expect(together.events).toHaveLength(changes.length)
    delivered += together.jobs.length
  }
})

test('however many changes there are and whoever listens, they are one statement with one text', async () => {
  const entity = 'roles' as const
  const texts = new Set<string>()
  for (let hooks = 0; hooks < 3; hooks++) {
    for (const count of [1, 2, 500]) {
      const events = Array.from({ length: count }, () => change(entity, randomUUID()))
      const sent = await statementsOf(() => db().transaction((tx) => putEvents(tx, entity, events)))
      const [begin, ...stored] = sent
      expect([begin, stored.pop()]).toEqual(['begin', 'commit'])
      expect(stored, stored.join('\n\n')).toHaveLength(1)
      texts.add(stored[0] ?? '')
    }
    await createHook(receiver, { types: ['role.updated'] })
  }
  expect(texts.size).toBe(1)
})

test('thirty at once that name the same objects in any order wait for each other without a deadlock, and ids are in the order of commits', async () => {
  const entity = thingOf('crowd')
  onDelivered(entity, 'crowd', async () => {})
  const objects = Array.from({ length: 8 }, () => randomUUID())
  const turns = new Map<string, number>()
  for (const _ of eachRound(3)) {
    const transactions = Array.from({ length: 30 }, () => {
      const number = randomUUID()
      const named = Array.from({ length: 1 + random(12) }, () => pick(objects))
      return db().transaction(async (tx) => {
        const events = named.map((id) => change(entity, id, { changes: { number: { current: number } } }))
        await putEvents(tx, entity as never, events)
        // this transaction alone has the objects until its commit
        for (const id of new Set(named)) turns.set(`${id} ${number}`, turns.size)
      })
    })
    await Promise.all(transactions)
  }
  for (const id of objects) {
    const { rows } = await db().execute<{ number: string }>(sql`
      select payload->'number'->>'current' as number from outbox_events where entity_id = ${id} order by id`)
    const order = rows.map(({ number }) => turns.get(`${id} ${number}`) ?? Number.NaN)
    expect(order.length).toBeGreaterThan(0)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  }
})

const person = (id: string, number = '') => change('users' as never, id, { changes: { number: { current: number } } })

test('many people at once, and each alone, wait for each other, and ids are in the order of commits', async () => {
  const ids = await makePeople(150)
  const turns = new Map<string, number>()
  const transactions = Array.from({ length: 30 }, (_, n) => {
    const number = randomUUID()
    // more than a statement locks one by one, or a few
    const named = ids.filter(() => (n % 2 === 0 ? random(10) > 0 : random(40) === 0))
    return db().transaction(async (tx) => {
      await putEvents(
        tx,
        'users',
        named.map((id) => person(id, number)),
      )
      for (const id of named) turns.set(`${id} ${number}`, turns.size)
    })
  })
  await Promise.all(transactions)
  for (const id of ids) {
    const { rows } = await db().execute<{ number: string }>(sql`
      select payload->'number'->>'current' as number from outbox_events where entity_id = ${id} order by id`)
    const order = rows.map(({ number }) => turns.get(`${id} ${number}`) ?? Number.NaN)
    expect(order.length).toBeGreaterThan(3)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  }
})

/** Stores a change of each of these people, as a merge of their companies does. Returns how many locks it has then. */
const changeAll = (ids: readonly string[]) =>
  db().transaction(async (tx) => {
    for (let start = 0; start < ids.length; start += 500)
      await putEvents(
        tx,
        'users',
        ids.slice(start, start + 500).map((id) => person(id)),
      )
    const { rows } = await tx.execute<{ locks: number }>(
      sql`select count(*)::int as locks from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`,
    )
    return rows[0]?.locks
  })

test('a transaction that changes thousands of people takes no lock for each', async () => {
  expect(await changeAll(await makePeople(1_200))).toBeLessThanOrEqual(100)
})

test('forty thousand people change in one transaction', { tags: ['full'], timeout: 180_000 }, async () => {
  const ids = await makePeople(40_000)
  await changeAll(ids)
  const { rows } = await db().execute<{ stored: number }>(
    sql`select count(*)::int as stored from outbox_events where entity_id = any(${sql.param(ids)}::text[])`,
  )
  expect(rows[0]?.stored).toBe(40_000)
})

async function makePeople(count: number): Promise<string[]> {
  const { rows } = await db().execute<{ id: string }>(
    sql`insert into users (login) select gen_random_uuid()::text from generate_series(1, ${count}::int) returning id`,
  )
  return rows.map(({ id }) => id)
}
