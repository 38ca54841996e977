import { randomUUID } from 'node:crypto'
import { count, eq, inArray, sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { messages, notices, subscriptions, users } from '@/db/schema'
import * as calls from '@/lib/news/news/contract'
import { notifyOrWithdraw } from '@/lib/news/news/tell'
import { thirty } from '../../factories/at-once'
import { runJobs } from '../../factories/messages'
import { editor, newsItemOf, noticesOf, publishedNews, subscribed, useNewsAlone } from '../../factories/news'
import { createUser } from '../../factories/users'
import { startWorker } from '../../factories/worker-process'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const running: Awaited<ReturnType<typeof startWorker>>[] = []
afterEach(async () => {
  for (const worker of running.splice(0)) await worker.end('SIGKILL')
})
useNewsAlone()

/** Many enabled people at once; every fifth wants mails. */
async function crowd(size: number) {
  const mark = randomUUID().slice(0, 8)
  const made = await db()
    .insert(users)
    .values(Array.from({ length: size }, (_, n) => ({ login: `${mark}.${n}`, email: `${mark}.${n}@polaris.example` })))
    .returning({ id: users.id })
  const mailed = made.filter((_, n) => n % 5 === 0)
  await db()
    .insert(subscriptions)
    .values(mailed.map(({ id }) => ({ userId: id, choices: subscribed() })))
  return { ids: made.map(({ id }) => id), mailed: mailed.length, mark }
}

/** How many notices and mails of news there are, and how many people have them. */
async function toldCounts() {
  const [written] = await db()
    .select({ all: count(), people: sql<number>`count(distinct ${notices.userId})::int` })
    .from(notices)
    .where(eq(notices.kind, 'news'))
  const [sent] = await db()
    .select({ all: count(), people: sql<number>`count(distinct ${messages.userId})::int` })
    .from(messages)
    .where(eq(messages.template, 'news'))
  return { notices: written, mails: sent }
}

describe('a crowd', () => {
  test('is told in batches; a job that comes again tells nobody twice', async () => {
    const caller = await editor()
    const { ids, mailed } = await crowd(450)
    const { id } = await publishedNews(caller)
    await notifyOrWithdraw({ id, after: null })
    expect(await toldCounts()).toMatchObject({ notices: { all: 200, people: 200 } })
    // the worker died before it could say that the batch was done
    await thirty(() => notifyOrWithdraw({ id, after: null }))
    expect(await toldCounts()).toMatchObject({ notices: { all: 200, people: 200 } })
    await runJobs()
    const all = ids.length + 1
    expect(await toldCounts()).toEqual({ notices: { all, people: all }, mails: { all: mailed, people: mailed } })
    expect(await newsItemOf(caller, id)).toMatchObject({ telling: false, reached: all, mailed })
    await notifyOrWithdraw({ id, after: null })
    expect((await newsItemOf(caller, id)).reached).toBe(all)
  })

  test('loses nobody and gets nothing twice if the worker is killed in the middle of a batch', {
    tags: ['full'],
  }, async () => {
    const caller = await editor()
    const { ids, mailed } = await crowd(450)
    const { id } = await publishedNews(caller)
    const [pausedUser] = await db()
      .select({ id: users.id })
      .from(users)
      .where(inArray(users.id, ids))
      .orderBy(users.id)
      .offset(300)
      .limit(1)
    let release = () => {}
    const blocking = new Promise<void>((resolve) => {
      release = resolve
    })
    let locked = () => {}
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve
    })
    // the second batch waits for this account
    const lock = db().transaction(async (tx) => {
      await tx
        .select()
        .from(users)
        .where(eq(users.id, pausedUser?.id ?? ''))
        .for('update')
      locked()
      await blocking
    })
    await isLocked
    const worker = await startWorker('return allTasks()')
    running.push(worker)
    await expect
      .poll(
        async () =>
          (
            await db().execute(sql`select from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock' and query like '%users%'`)
          ).rows.length,
        { timeout: 20_000 },
      )
      .toBe(1)
    await worker.end('SIGKILL')
    expect(await toldCounts()).toMatchObject({ notices: { all: 200, people: 200 } })
    release()
    await lock
    await db().execute(
      sql`select graphile_worker.force_unlock_workers(array(select locked_by from graphile_worker._private_jobs where locked_by is not null))`,
    )
    await db().execute(sql`update graphile_worker._private_jobs set run_at = now()`)
    await runJobs()
    const all = ids.length + 1
    expect(await toldCounts()).toEqual({ notices: { all, people: all }, mails: { all: mailed, people: mailed } })
    expect(await newsItemOf(caller, id)).toMatchObject({ telling: false, reached: all, mailed })
  })

  test('is told of no more once news are withdrawn half-way, and has them no longer', async () => {
    const caller = await editor()
    const { ids } = await crowd(450)
    const { id } = await publishedNews(caller)
    await notifyOrWithdraw({ id, after: null })
    await caller.call(calls.withdrawNewsItem, { params: { id }, body: {} })
    await runJobs()
    expect((await toldCounts()).notices).toEqual({ all: 0, people: 0 })
    expect(ids).toHaveLength(450)
    expect(await newsItemOf(caller, id)).toMatchObject({ status: 'withdrawn', telling: false, reached: 200 })
  })
})

test('whoever is disabled between two batches gets nothing, and neither does who comes to be later', async () => {
  const caller = await editor()
  const { ids } = await crowd(250)
  const { id } = await publishedNews(caller)
  const everybody = await db().select({ id: users.id }).from(users).where(eq(users.enabled, true)).orderBy(users.id)
  const last = everybody.at(-1)?.id ?? ''
  await notifyOrWithdraw({ id, after: null })
  await db().update(users).set({ enabled: false }).where(eq(users.id, last))
  await runJobs()
  expect(await noticesOf(last)).toEqual([])
  const newcomer = await createUser({ roles: [] })
  await runJobs()
  expect(await noticesOf(newcomer.id)).toEqual([])
  expect(await newsItemOf(caller, id)).toMatchObject({ reached: ids.length })
})
