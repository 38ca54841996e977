import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { db, type Transaction } from '@/db/client'
import { runRows, runs } from '@/db/schema'
import {
  eachFault,
  readBatchJob,
  resumeBatchJob,
  startBatchJob,
  stopBatchJob,
  tidyBatchJobs,
} from '@/lib/base/batch-jobs/batch-jobs'
import { BatchStopped, processRows } from '@/lib/base/batch-jobs/process-rows'
import type { BatchRow } from '@/lib/base/batch-jobs/store'
import { AppError } from '@/lib/base/runtime/errors'
import { log } from '@/lib/base/runtime/log'
import { thirty } from '../../factories/at-once'
import { first } from '../../factories/platform'
import { caseNumbers } from '../../factories/random-cases'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { somebodyWaits } from '../../setup/eventually'

useTestDatabase()
afterEach(() => void vi.restoreAllMocks())

const kind = 'test'

/** A run with so many rows, and whose it is. */
async function started(count: number, faulty: number[] = []) {
  const { id: userId } = await createUser()
  const scope = { kind, userId }
  const rows = Array.from({ length: count }, (_, at) => ({
    row: at + 1,
    title: `row ${at + 1}`,
    input: {},
    ...(faulty.includes(at + 1) ? { fault: { code: 'errorEmail' } } : {}),
  }))
  const start = { options: {}, rows, now: new Date(), atMost: { rows: 1_000 } }
  const id = await db().transaction((tx) => startBatchJob(tx, scope, start))
  return { id, scope }
}

/** Counts how often the effect of a row was committed. */
const effect = (tx: Transaction, { runId, row }: BatchRow) =>
  tx.execute(sql`insert into daily_counters (kind, key, day, count) values (${runId}, ${row}, '2026-01-01', 1)
    on conflict (kind, key, day) do update set count = daily_counters.count + 1`)
const effects = async (id: string) => {
  const query = sql`select key, count from daily_counters where kind = ${id} order by key::int`
  const { rows } = await db().execute<{ key: string; count: number }>(query)
  return rows.map(({ key, count }) => [Number(key), count])
}
const once = (...rows: number[]) => rows.map((row) => [row, 1])
const upTo = (count: number) => once(...Array.from({ length: count }, (_, at) => at + 1))

type DoRow = (tx: Transaction, row: BatchRow) => Promise<unknown>
const work = (id: string, processRow: DoRow = effect) => processRows({ [kind]: async () => processRow }, id)
const rowOf = async (id: string) => first(await db().select().from(runs).where(eq(runs.id, id)))
const jobsOf = async (id: string) =>
  (await db().execute(sql`select priority, queue_name as queue from graphile_worker.jobs where key = ${`run:${id}`}`))
    .rows

describe('a run', () => {
  test('does each row once, also with thirty workers at once', async () => {
    const { id, scope } = await started(90)
    await thirty(() => work(id))
    expect(await effects(id)).toEqual(upTo(90))
    expect((await readBatchJob(scope, id)).run).toMatchObject({
      state: 'done',
      total: 90,
      done: 90,
      failed: 0,
      left: null,
    })
    await work(id)
    expect(await effects(id)).toEqual(upTo(90))
  })

  test('begins with a job of a queue of its own, behind what people wait for', async () => {
    const { id } = await started(1)
    expect(await jobsOf(id)).toEqual([{ priority: 5, queue: 'runs' }])
  })

  test('keeps faults by row, with nothing of what the row did, and goes on', async () => {
    const { id, scope } = await started(5, [2])
    await work(id, async (tx, row) => {
      await effect(tx, row)
      if (row.row === 3)
        throw new AppError(400, undefined, { errorList: [{ field: 'x', code: 'errorTooLong', params: { max: 9 } }] })
      if (row.row === 4) throw new AppError(409, 'invitationActive')
    })
    expect(await effects(id)).toEqual(once(1, 5))
    const { run, faults } = await readBatchJob(scope, id)
    expect(run).toMatchObject({ state: 'done', done: 2, failed: 3 })
    expect(faults).toEqual([
      { row: 2, title: 'row 2', code: 'errorEmail', params: {} },
      { row: 3, title: 'row 3', code: 'errorTooLong', params: { max: 9 } },
      { row: 4, title: 'row 4', code: 'invitationActive', params: {} },
    ])
  })

  test('gives all of its faults to a file, in their order, and the first hundred to a page', async () => {
    const faulty = Array.from({ length: 1_000 }, (_, at) => at + 1).filter((row) => row % 10 > 0)
    const { id, scope } = await started(1_000, faulty)
    const faultRows: number[] = []
    for await (const { row } of eachFault(scope, id)) faultRows.push(row)
    expect(faultRows).toEqual(faulty)
    expect((await readBatchJob(scope, id)).faults.map(({ row }) => row)).toEqual(faulty.slice(0, 100))
  })

  test('does no row after stop has answered, and goes on where it stood', async () => {
    const { id, scope } = await started(200)
    const { promise: reached, resolve } = Promise.withResolvers<void>()
    const working = work(id, async (tx, row) => {
      await effect(tx, row)
      if (row.row !== 7) return
      resolve()
      await somebodyWaits(tx)
    })
    // while a row is under way
    await reached
    await stopBatchJob(scope, id)
    const done = (await effects(id)).length
    await working
    expect(done).toBeGreaterThanOrEqual(7)
    expect(done).toBeLessThan(200)
    await work(id)
    expect(await effects(id)).toEqual(upTo(done))
    expect((await readBatchJob(scope, id)).run).toMatchObject({ state: 'stopped', done, fault: null })
    await stopBatchJob(scope, id)
    await resumeBatchJob(scope, id)
    await resumeBatchJob(scope, id)
    await work(id)
    expect(await effects(id)).toEqual(upTo(200))
    for (const late of [stopBatchJob, resumeBatchJob])
      await expect(late(scope, id)).rejects.toMatchObject({ status: 409, code: 'runOver' })
  })

  test('stops itself when no row can be done, and says why until it goes on', async () => {
    const { id, scope } = await started(3)
    await work(id, async (tx, row) => {
      await effect(tx, row)
      if (row.row === 2) throw new BatchStopped('importStarter')
    })
    expect((await readBatchJob(scope, id)).run).toMatchObject({
      state: 'stopped',
      done: 1,
      failed: 0,
      fault: 'importStarter',
    })
    expect(await effects(id)).toEqual(once(1))
    await resumeBatchJob(scope, id)
    expect((await readBatchJob(scope, id)).run).toMatchObject({ state: 'running', fault: null })
    await work(id)
    expect(await effects(id)).toEqual(upTo(3))
  })

  test('tries a row again after an unexpected error, and gives it up at the third', async () => {
    const error = vi.spyOn(log, 'error').mockReturnValue()
    const { id, scope } = await started(3)
    const broken: DoRow = async (tx, row) => {
      await effect(tx, row)
      if (row.row === 2) throw new Error('secret of the row')
    }
    for (let time = 0; time < 2; time++) await expect(work(id, broken)).rejects.toThrow('a row of a run failed')
    expect(await rowOf(id)).toMatchObject({ state: 'running', done: 1, failed: 0 })
    await work(id, broken)
    expect(await effects(id)).toEqual(once(1, 3))
    const { run, faults } = await readBatchJob(scope, id)
    expect(run).toMatchObject({ state: 'done', done: 2, failed: 1 })
    expect(faults).toEqual([{ row: 2, title: 'row 2', code: 'errorUnknown', params: {} }])
    expect(error).toHaveBeenCalledTimes(1)
  })

  test.each([503, 429] as const)('leaves a row for later when something is away or limited (%i)', async (status) => {
    const { id } = await started(2)
    await expect(work(id, () => Promise.reject(new AppError(status)))).rejects.toThrow()
    expect(await rowOf(id)).toMatchObject({ state: 'running', done: 0, failed: 0 })
    await work(id)
    expect(await effects(id)).toEqual(upTo(2))
  })

  test('does rows in few statements where its kind can, each with its own result', async () => {
    const { id, scope } = await started(250, [2])
    const calls: number[] = []
    const processBatch = async (tx: Transaction, rows: BatchRow[]) => {
      calls.push(rows.length)
      for (const row of rows) if (row.row % 100 !== 7) await effect(tx, row)
      const refused = rows.filter(({ row }) => row % 100 === 7)
      return { faults: new Map(refused.map(({ row }) => [row, new AppError(409, 'invitationActive')])) }
    }
    await processRows({ [kind]: async () => ({ processRow: effect, processBatch }) }, id)
    expect(calls).toEqual([100, 100, 49])
    const { run, faults } = await readBatchJob(scope, id)
    expect(run).toMatchObject({ state: 'done', done: 246, failed: 4 })
    expect(faults.map(({ row, code }) => [row, code])).toEqual([
      [2, 'errorEmail'],
      ...[7, 107, 207].map((row) => [row, 'invitationActive']),
    ])
    expect((await effects(id)).length).toBe(246)
  })

  test.each([
    ['an unexpected error', () => Promise.reject(new Error('broken'))],
    ['what is no fault of a row', async () => ({ faults: new Map([[2, new AppError(429, 'tooManyAttempts')]]) })],
  ])('does them one by one after %s, and nothing of the first try stays', async (_, end) => {
    vi.spyOn(log, 'warn').mockReturnValue()
    const { id, scope } = await started(5)
    const processBatch = async (tx: Transaction, rows: BatchRow[]) => {
      for (const row of rows) await effect(tx, row)
      return end()
    }
    await processRows({ [kind]: async () => ({ processRow: effect, processBatch }) }, id)
    expect(await effects(id)).toEqual(upTo(5))
    expect((await readBatchJob(scope, id)).run).toMatchObject({ state: 'done', done: 5, failed: 0 })
  })

  test('does those alone that are left, and each keeps what it should', async () => {
    const { id, scope } = await started(120)
    const alone: number[] = []
    const isOdd = ({ row }: BatchRow) => row % 2 === 1
    const processBatch = async (tx: Transaction, rows: BatchRow[]) => {
      for (const row of rows) if (!isOdd(row)) await effect(tx, row)
      return { faults: new Map<number, AppError>(), singleRows: new Set(rows.filter(isOdd).map(({ row }) => row)) }
    }
    const processRow = async (tx: Transaction, row: BatchRow) => {
      alone.push(row.row)
      if (row.row === 11) throw new AppError(409, 'invitationActive')
      await effect(tx, row)
    }
    const keptOf = ({ row }: BatchRow, failed: boolean) => ({ was: `${row} ${failed}` })
    await processRows({ [kind]: async () => ({ processRow, processBatch, reduceInput: keptOf }) }, id)
    const all = Array.from({ length: 120 }, (_, at) => at + 1)
    expect(alone).toEqual(all.filter((row) => row % 2 === 1))
    expect(await effects(id)).toEqual(once(...all.filter((row) => row !== 11)))
    expect((await readBatchJob(scope, id)).run).toMatchObject({ state: 'done', done: 119, failed: 1 })
    const rows = await db().select().from(runRows).where(eq(runRows.runId, id)).orderBy(runRows.row)
    expect(rows.map(({ input }) => input)).toEqual(all.map((row) => ({ was: `${row} ${row === 11}` })))
  })

  test('tries each row together with others once, however long those take that are left', async () => {
    const { id } = await started(120)
    const tried: number[] = []
    const isLeft = ({ row }: BatchRow) => row % 25 === 0
    const processBatch = async (tx: Transaction, rows: BatchRow[]) => {
      tried.push(...rows.map(({ row }) => row))
      for (const row of rows) if (!isLeft(row)) await effect(tx, row)
      return { faults: new Map<number, AppError>(), singleRows: new Set(rows.filter(isLeft).map(({ row }) => row)) }
    }
    // two of them fill a transaction
    const processRow = async (tx: Transaction, row: BatchRow) => {
      await sleep(150)
      await effect(tx, row)
    }
    await processRows({ [kind]: async () => ({ processRow, processBatch }) }, id)
    expect(tried).toEqual(Array.from({ length: 120 }, (_, at) => at + 1))
    expect(await effects(id)).toEqual(upTo(120))
  })

  test('does each row once when thirty workers leave different ones, and break down at some', async () => {
    vi.spyOn(log, 'warn').mockReturnValue()
    const { id, scope } = await started(150)
    const random = caseNumbers(30)
    const now = (of: number) => random(of) === 0
    const processBatch = async (tx: Transaction, rows: BatchRow[]) => {
      const failing = new Set(rows.filter(() => now(3)).map(({ row }) => row))
      for (const row of rows) if (!failing.has(row.row)) await effect(tx, row)
      if (now(8)) throw new Error('broken')
      return { faults: new Map<number, AppError>(), singleRows: failing }
    }
    // at the third time the row would be given up
    const broken = new Map<number, number>()
    const processRow = async (tx: Transaction, row: BatchRow) => {
      await effect(tx, row)
      const times = broken.get(row.row) ?? 0
      if (times === 2 || !now(5)) return
      broken.set(row.row, times + 1)
      throw new Error('broken')
    }
    const go = () => processRows({ [kind]: async () => ({ processRow, processBatch }) }, id).catch(() => undefined)
    await thirty(go)
    while ((await rowOf(id)).state === 'running') await go()
    expect(broken.size).toBeGreaterThan(0)
    expect(await effects(id)).toEqual(upTo(150))
    expect((await readBatchJob(scope, id)).run).toMatchObject({ state: 'done', done: 150, failed: 0 })
  })

  test('stops itself there too, with nothing of these rows', async () => {
    const { id, scope } = await started(5)
    const processBatch = async (tx: Transaction, rows: BatchRow[]) => {
      for (const row of rows) await effect(tx, row)
      throw new BatchStopped('importStarter')
    }
    await processRows({ [kind]: async () => ({ processRow: effect, processBatch }) }, id)
    expect(await effects(id)).toEqual([])
    expect((await readBatchJob(scope, id)).run).toMatchObject({ state: 'stopped', done: 0, fault: 'importStarter' })
  })

  test('hands over to another job when its process must stop', async () => {
    const { id } = await started(5)
    await db().execute(sql`select graphile_worker.remove_job(${`run:${id}`})`)
    const ending = new AbortController()
    const processRow: DoRow = async (tx, row) => {
      await effect(tx, row)
      if (row.row === 2) ending.abort()
    }
    await processRows({ [kind]: async () => processRow }, id, ending.signal)
    expect(await effects(id)).toEqual(upTo(2))
    expect(await jobsOf(id)).toHaveLength(1)
  })

  test('is seen, stopped and resumed by nobody but who started it', async () => {
    const { id } = await started(2, [1])
    const others = [
      { kind, userId: (await createUser()).id },
      { kind: 'another', userId: (await rowOf(id)).userId ?? '' },
    ]
    for (const scope of others) {
      for (const call of [readBatchJob, stopBatchJob, resumeBatchJob])
        await expect(call(scope, id)).rejects.toMatchObject({ status: 404 })
      await expect(eachFault(scope, id).next()).rejects.toMatchObject({ status: 404 })
    }
    expect(await rowOf(id)).toMatchObject({ state: 'running' })
  })

  test('is the only one of its kind that a person has, but not the only one that stands', async () => {
    const { id, scope } = await started(1)
    const again = () =>
      db().transaction((tx) =>
        startBatchJob(tx, scope, {
          options: {},
          rows: [{ row: 1, title: '', input: {} }],
          now: new Date(),
          atMost: { rows: 1_000 },
        }),
      )
    const answers = await thirty(() => again().catch((error: AppError) => error.code))
    expect(new Set(answers)).toEqual(new Set(['runRunning']))
    await stopBatchJob(scope, id)
    const second = await again()
    await expect(resumeBatchJob(scope, id)).rejects.toMatchObject({ status: 409, code: 'runRunning' })
    await work(second)
    await resumeBatchJob(scope, id)
  })

  test('of a day may have so many rows in all, and the answer says when there is room again', async () => {
    const { id, scope } = await started(10)
    await work(id)
    await db()
      .update(runs)
      .set({ createdAt: new Date(Date.now() - 23 * 3_600_000) })
      .where(eq(runs.id, id))
    const start = (rows: number) =>
      db().transaction((tx) =>
        startBatchJob(tx, scope, {
          options: {},
          rows: Array.from({ length: rows }, (_, at) => ({ row: at + 1, title: '', input: {} })),
          now: new Date(),
          atMost: { rows: 14 },
        }),
      )
    const refused = await start(5).catch((error: AppError) => error)
    expect(refused).toMatchObject({ status: 429, code: 'tooManyAttempts' })
    expect(Math.round(((refused as AppError).retryAfter ?? 0) / 60)).toBe(60)
    await expect(start(4)).resolves.toEqual(expect.any(String))
  })

  test('that has lost its job is continued, and one that ended a month ago is deleted with its rows', async () => {
    const [lost, fresh, over] = [await started(1), await started(1), await started(2, [1])]
    await work(over.id)
    for (const { id } of [lost, fresh]) await db().execute(sql`select graphile_worker.remove_job(${`run:${id}`})`)
    const in10Minutes = new Date(Date.now() + 10 * 60_000)
    await tidyBatchJobs(new Date())
    expect(await jobsOf(lost.id)).toEqual([])
    await tidyBatchJobs(in10Minutes)
    expect(await jobsOf(lost.id)).toHaveLength(1)
    await tidyBatchJobs(new Date(Date.now() + 29 * 86_400_000))
    expect(await db().$count(runs, eq(runs.id, over.id))).toBe(1)
    await tidyBatchJobs(new Date(Date.now() + 31 * 86_400_000))
    expect(await db().$count(runs, eq(runs.id, over.id))).toBe(0)
    expect(await db().$count(runRows, eq(runRows.runId, over.id))).toBe(0)
    // what still has rows to do is no old run
    expect(await db().$count(runs, eq(runs.id, lost.id))).toBe(1)
  })

  test('counts the seconds that it worked, not those that it stood', async () => {
    const { id, scope } = await started(4)
    const workedFor = async (seconds: number) => {
      const resumedAt = new Date(Date.now() - seconds * 1000)
      await db().update(runs).set({ resumedAt, done: 1 }).where(eq(runs.id, id))
      return (await readBatchJob(scope, id)).run
    }
    expect(await workedFor(60)).toMatchObject({ worked: 60, left: 180 })
    await stopBatchJob(scope, id)
    expect(await workedFor(9_999)).toMatchObject({ worked: 60, left: null })
    await resumeBatchJob(scope, id)
    expect(await workedFor(30)).toMatchObject({ worked: 90 })
  })
})
