import { eq } from 'drizzle-orm'
import { beforeEach, expect, test, vi } from 'vitest'
import { db } from '@/db/client'
import { housekeepingSteps as rows } from '@/db/schema'
import { runHousekeeping } from '@/lib/base/jobs/housekeeping'
import { addHousekeepingMetrics } from '@/lib/base/jobs/housekeeping-metrics'
import { log } from '@/lib/base/runtime/log'
import { metrics } from '@/lib/base/runtime/metrics'
import { platformHousekeeping } from '@/lib/wiring/housekeeping'
import { taskList } from '@/lib/wiring/tasks'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
beforeEach(async () => {
  await db().delete(rows)
})

const names = Object.keys(platformHousekeeping)
/** The real steps, of which these fail; `ran` collects those that began. */
const stepsFailing = (failing: readonly string[], ran: string[]) =>
  Object.fromEntries(
    Object.entries(platformHousekeeping).map(([name, step]) => [
      name,
      async (now: Date) => {
        ran.push(name)
        if (failing.includes(name)) throw new Error(`${name} can not`)
        await step(now)
      },
    ]),
  )
const stored = async () =>
  Object.fromEntries((await db().select().from(rows)).map(({ name, ...row }) => [name, { ...row, done: !!row.doneAt }]))

test.each(names)('%s fails: every other step is done, and the failure is logged and counted', async (name) => {
  const error = vi.spyOn(log, 'error')
  const ran: string[] = []
  await expect(runHousekeeping(stepsFailing([name], ran), null)).rejects.toThrow(
    `steps of housekeeping failed: ${name}`,
  )
  expect(ran).toEqual(names)
  const steps = await stored()
  for (const each of names) expect([each, steps[each]]).toMatchObject([each, { done: each !== name }])
  expect(steps[name]?.failures).toBe(1)
  expect(error.mock.calls.map(([fields]) => fields)).toEqual([{ err: expect.any(Error), step: name }])
  error.mockRestore()
})

test('all steps fail: each is tried, and all are named', async () => {
  const ran: string[] = []
  await expect(runHousekeeping(stepsFailing(names, ran), null)).rejects.toThrow(names.join(', '))
  expect(ran).toEqual(names)
})

test('a second try repeats only what failed; the next run does all steps', async () => {
  const since = new Date(Date.now() - 1_000)
  const [first, second, next]: string[][] = [[], [], []]
  await expect(runHousekeeping(stepsFailing(['links', 'digests'], first ?? []), null)).rejects.toThrow('links, digests')
  await runHousekeeping(stepsFailing([], second ?? []), since)
  expect(second).toEqual(['links', 'digests'])
  await runHousekeeping(stepsFailing([], next ?? []), null)
  expect(next).toEqual(names)
})

test('the job does every step, and as a second try only the missing ones', async () => {
  const job = (attempts: number) => ({ job: { attempts, created_at: new Date(Date.now() - 60_000) } }) as never
  await taskList.housekeeping({}, job(1))
  const before = await stored()
  expect(Object.keys(before).sort()).toEqual([...names].sort())
  await db().update(rows).set({ doneAt: null }).where(eq(rows.name, 'links'))
  await taskList.housekeeping({}, job(2))
  const after = await stored()
  for (const name of names)
    if (name === 'links') expect(after[name]?.done).toBe(true)
    else expect(after[name]).toEqual(before[name])
})

test('metrics show how often a step failed and when it was last done', async () => {
  for (let time = 0; time < 2; time++) await runHousekeeping(stepsFailing(['messages'], []), null).catch(() => {})
  addHousekeepingMetrics()
  addHousekeepingMetrics()
  const text = await metrics().registry.metrics()
  expect(text).toContain('platform_housekeeping_failures{step="messages"} 2')
  expect(text).toContain('platform_housekeeping_failures{step="digests"} 0')
  expect(text).toMatch(/platform_housekeeping_done_timestamp_seconds\{step="digests"\} 1\d{9}/)
  expect(text).not.toContain('platform_housekeeping_done_timestamp_seconds{step="messages"}')
})
