import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { letTimePass } from '../../factories/events'
import { runJobs } from '../../factories/messages'
import { startReceiver } from '../../factories/webhook-receiver'
import { createHook, happen, hookOf, later, logOf } from '../../factories/webhooks'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

test('a receiver that asks for a pause gets nothing until it is over, whatever else waits, succeeds or fails', async () => {
  const receiver = await startReceiver(() => 500)
  const hook = await createHook(receiver.url)
  const heldMinutes = async () => {
    const { rows } = await db().execute<{ minutes: number }>(sql`
      select round(coalesce(extract(epoch from held_until - now()) / 60, 0))::float8 as minutes
      from webhook_states where webhook_id = ${hook.webhookId}`)
    return rows[0]?.minutes
  }
  const minutesTo = (moment?: string | null) => Math.round((Date.parse(moment ?? '') - Date.now()) / 60_000)
  await happen()
  await runJobs()
  expect(await heldMinutes()).toBe(0)

  for (const status of [200, 500]) {
    // while one is under way another one meets the pause
    const first = receiver.received.length + 1
    receiver.answer = async (_, count) => {
      if (count > first) return { status: 429, headers: { 'retry-after': '3600' } }
      await runJobs()
      return status
    }
    await happen()
    await happen()
    await later()
    expect({ status, received: receiver.received.length, heldMinutes: await heldMinutes() }).toEqual({
      status,
      received: first + 1,
      heldMinutes: 60,
    })
    const asked = (await logOf(hook)).filter(({ httpStatus }) => httpStatus === 429)
    expect(minutesTo(asked[0]?.nextAt)).toBe(60)

    receiver.answer = () => 200
    const attempts = async () => (await logOf(hook)).map((each) => each.attempts)
    const before = await attempts()
    await happen()
    await letTimePass()
    await runJobs()
    expect([await attempts(), receiver.received.length]).toEqual([before, first + 1])
  }
  const until = new Date(Date.now() + 7_200_000).toUTCString()
  receiver.answer = () => ({ status: 503, headers: { 'retry-after': until } })
  await later()
  expect(await heldMinutes()).toBe(120)
  receiver.answer = () => 200
  await later()
  expect([(await hookOf(hook)).waiting, await hookOf(hook)]).toMatchObject([0, { failingSince: null }])
})
