import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { databasePool, db } from '@/db/client'
import { outboxDeliveries, outboxEvents } from '@/db/schema'
import { deliver, maxDeliveryTries } from '@/lib/base/events/delivery/deliver'
import { emit } from '@/lib/base/events/events'
import { onDelivered } from '@/lib/base/events/handlers'
import { putEvent } from '@/lib/base/events/outbox'
import { createContext } from '../../factories/context'
import { change, changeThing, letTimePass, listenToThings, statesOf, thingOf } from '../../factories/events'
import { runJobs } from '../../factories/messages'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const object = () => crypto.randomUUID()
const storing = (handler: string, entityId: string) => db().transaction((tx) => changeThing(tx, handler, entityId))
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

const random = caseNumbers(4711)

describe('an event', () => {
  test('is stored with its cause or not at all, and reaches every handler after the commit', async () => {
    const first = listenToThings('first')
    const second: unknown[] = []
    onDelivered(thingOf('first'), 'second', async (event, info) => void second.push({ ...event, info }))
    const id = object()
    await storing('first', id)
    const undone = db().transaction(async (tx) => {
      await changeThing(tx, 'first', id)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(first).toEqual([])
    await runJobs()
    for (const deliveries of [first, second]) expect(deliveries).toMatchObject([{ entityId: id, info: { attempt: 1 } }])
    expect(await statesOf('first')).toEqual({ delivered: 1 })
  })

  test('is stored without a delivery if nobody listens', async () => {
    const id = object()
    await db().transaction((tx) => putEvent(tx, change('unheard', id, { type: 'create' })))
    const [event] = await db().select().from(outboxEvents).where(eq(outboxEvents.entityId, id))
    expect(event).toMatchObject({ topic: 'unheard', type: 'create', requestId: 'test' })
    expect(await db().$count(outboxDeliveries, eq(outboxDeliveries.eventId, event?.id ?? 0))).toBe(0)
  })

  test('of the domain is delivered in one order with the changes of its object', async () => {
    const seen: string[] = []
    onDelivered('userDisabled', 'both', async ({ name, data, changerId, date }) => {
      expect([changerId, date]).toEqual(['00000000-0000-4000-8000-000000000001', expect.any(Date)])
      seen.push(`${name} ${data.userId === id}`)
    })
    onDelivered('users', 'both', async ({ type, changes }) => void seen.push(`${type} ${JSON.stringify(changes)}`))
    const id = object()
    const ctx = await createContext({ methods: [] })
    const users = (current: boolean) => change('users', id, { changes: { enabled: { current } } })
    await db().transaction(async (tx) => {
      await putEvent(tx, users(false))
      await emit(tx, ctx, 'userDisabled', { userId: id })
      await putEvent(tx, users(true))
    })
    await runJobs()
    expect(seen).toEqual([
      'update {"enabled":{"current":false}}',
      'userDisabled true',
      'update {"enabled":{"current":true}}',
    ])
  })
})

describe('the order of one object', () => {
  test('is that of commits, also if only the event is shared: the second waits for the first', async () => {
    const deliveries = listenToThings('overlapping')
    // a starting worker registers its tasks
    await runJobs()
    const id = object()
    let commit = () => {}
    const committing = new Promise<void>((resolve) => {
      commit = resolve
    })
    let stored = () => {}
    const isStored = new Promise<void>((resolve) => {
      stored = resolve
    })
    const event = (current: number) => change(thingOf('overlapping'), id, { changes: { count: { current } } })
    const first = db().transaction(async (tx) => {
      await putEvent(tx, event(1))
      stored()
      await committing
    })
    await isStored
    const second = db().transaction((tx) => putEvent(tx, event(2)))
    await expect
      .poll(async () => (await databasePool().query(`select from pg_locks where not granted`)).rowCount)
      .toBe(1)
    // events of another object aren't delayed, and uncommitted events aren't delivered
    const other = object()
    await storing('overlapping', other)
    await runJobs()
    expect(deliveries).toMatchObject([{ entityId: other }])
    commit()
    await Promise.all([first, second])
    await runJobs()
    expect(deliveries.filter(({ entityId }) => entityId === id).map(({ count }) => count)).toEqual([1, 2])
  })

  test('is kept with 30 parallel writers, three workers and failing deliveries', async () => {
    const objects = [object(), object(), object()]
    const deliveries = listenToThings('raced', () => {
      if (random(4) === 0) throw new Error('not now')
    })
    await runJobs()
    let writing = true
    const writers = Promise.all(
      upTo(30).map(async (at) => {
        for (let round = 0; round < 4; round++) await storing('raced', objects[(at + round) % objects.length] ?? '')
      }),
    ).finally(() => {
      writing = false
    })
    const working = async () => {
      while (writing || (await statesOf('raced')).waiting) {
        await letTimePass()
        await runJobs()
      }
    }
    await Promise.all([writers, working(), working(), working()])
    for (const id of objects)
      expect(deliveries.filter(({ entityId }) => entityId === id).map(({ count }) => count)).toEqual(upTo(40))
  })

  test('is kept whatever is committed, rolled back and fails: each committed event is delivered at least once, without a gap', async () => {
    const objects = upTo(5).map(object)
    const begun = new Map<string, number[]>()
    const deliveries = listenToThings('random', ({ entityId, count }) => {
      begun.set(entityId, [...(begun.get(entityId) ?? []), count])
      if (random(3) === 0) throw new Error('not now')
    })
    const committed = new Map<string, number>()
    for (const _ of eachRound(60)) {
      const changes = upTo(1 + random(4)).map(async () => {
        const [id = '', undone] = [objects[random(objects.length)], random(4) === 0]
        await db()
          .transaction(async (tx) => {
            await changeThing(tx, 'random', id)
            if (undone) throw new Error('undone')
          })
          .then(
            () => committed.set(id, (committed.get(id) ?? 0) + 1),
            () => {},
          )
      })
      const jobs = random(2) === 0 ? [runJobs(), runJobs()] : []
      await Promise.all([...changes, ...jobs])
      if (random(3) === 0) await letTimePass()
    }
    while ((await statesOf('random')).waiting) {
      await letTimePass()
      await runJobs()
    }
    for (const id of objects) {
      expect(deliveries.filter(({ entityId }) => entityId === id).map(({ count }) => count)).toEqual(
        upTo(committed.get(id) ?? 0),
      )
      // a failed try is repeated before the next event is delivered
      const tries = begun.get(id) ?? []
      for (const [at, count] of tries.entries())
        if (at > 0) expect([tries[at - 1], (tries[at - 1] ?? 0) + 1]).toContain(count)
    }
  })

  test('is kept by one worker at a time: others skip an object that is being worked on', async () => {
    let running = 0
    let most = 0
    const deliveries = listenToThings('lonely', async () => {
      most = Math.max(most, ++running)
      await db().execute(sql`select pg_sleep(0.01)`)
      running--
    })
    const id = object()
    for (const _ of upTo(10)) await storing('lonely', id)
    const stream = { handler: 'lonely', entity: thingOf('lonely'), entityId: id }
    await Promise.all(upTo(8).map(() => deliver(stream)))
    await letTimePass()
    await runJobs()
    expect([most, deliveries.map(({ count }) => count)]).toEqual([1, upTo(10)])
  })
})

describe('an event that fails', () => {
  const tries = async (handler: string) =>
    db().select().from(outboxDeliveries).where(eq(outboxDeliveries.handler, handler)).orderBy(outboxDeliveries.eventId)

  test('is tried again with growing pauses, is given up in the end, and delays only its own object', async () => {
    const id = object()
    const deliveries = listenToThings('poisoned', ({ entityId, count }) => {
      if (entityId === id && count === 1) throw new Error('poison for anna@polaris.example')
    })
    const waits: number[] = []
    await storing('poisoned', id)
    await storing('poisoned', id)
    for (const at of upTo(maxDeliveryTries)) {
      const other = object()
      await storing('poisoned', other)
      await runJobs()
      expect(deliveries.map(({ entityId }) => entityId)).toContain(other)
      const [first, second] = await tries('poisoned')
      expect([first?.attempts, second?.attempts]).toEqual([at, 0])
      const { rows } = await db().execute<{ wait: number }>(
        sql`select extract(epoch from try_at - now())::float8 as wait from outbox_deliveries where id = ${first?.id}`,
      )
      waits.push(rows[0]?.wait ?? 0)
      if (at < maxDeliveryTries) await letTimePass()
    }
    for (const [at, wait] of waits.entries()) if (at > 0 && at < 10) expect(wait).toBeGreaterThan(waits[at - 1] ?? 0)
    expect(waits.reduce((all, wait) => all + wait)).toBeGreaterThan(24 * 3_600)
    const [first, second] = await tries('poisoned')
    expect(first).toMatchObject({ state: 'dead', attempts: maxDeliveryTries, finishedAt: expect.any(Date) })
    // only the part of an error is stored that a log may contain
    expect(first?.error).toMatch(/^Error: poison for /)
    expect(first?.error).not.toContain('anna')
    expect(second?.state).toBe('waiting')
    await storing('poisoned', id)
    await letTimePass()
    await runJobs()
    expect(deliveries.filter(({ entityId }) => entityId === id)).toEqual([])
  })

  test('with a message that can’t be stored as text is counted and recorded like every other', async () => {
    listenToThings('unspeakable', () => {
      throw new Error('a\u0000b \ud800 \u001b[31mc')
    })
    const id = object()
    await storing('unspeakable', id)
    await runJobs()
    const [noted] = await tries('unspeakable')
    expect(noted).toMatchObject({ state: 'waiting', attempts: 1, error: expect.stringMatching(/^Error: a/) })
    // PostgreSQL hides the rest, and terminals would execute it
    expect(noted?.error).not.toMatch(/[\p{Cc}\ud800]/u)
  })

  test('by taking too long is aborted', async () => {
    let isHandled = false
    listenToThings(
      'slow',
      // a later try of the same delivery would hang too
      ({ info: { signal } }) =>
        isHandled
          ? undefined
          : new Promise(() => {
              signal.addEventListener('abort', () => {
                isHandled = true
              })
            }),
    )
    const id = object()
    await storing('slow', id)
    await deliver({ handler: 'slow', entity: thingOf('slow'), entityId: id }, { limit: 20 })
    expect(isHandled).toBe(true)
    expect(await tries('slow')).toMatchObject([
      { state: 'waiting', attempts: 1, error: expect.stringMatching(/Timeout/) },
    ])
  })

  test('by ending its process each time is given up too', async () => {
    listenToThings('killing')
    const id = object()
    await storing('killing', id)
    await db()
      .update(outboxDeliveries)
      .set({ attempts: maxDeliveryTries })
      .where(eq(outboxDeliveries.handler, 'killing'))
    await runJobs()
    expect(await tries('killing')).toMatchObject([{ state: 'dead', error: 'the process ended during the last try' }])
  })
})
