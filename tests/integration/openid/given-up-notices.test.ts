import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, oidcClients, oidcLogouts } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { metrics } from '@/lib/base/runtime/metrics'
import { readApplicationDetails } from '@/lib/openid/applications/service'
import { queueLogout, tidyLogouts } from '@/lib/openid/logout/service'
import { sendLogoutNotice } from '@/lib/openid/server/back-channel'
import { listFailedJobs, retryJobs } from '@/lib/operations/failed-work/service'
import { thirty } from '../../factories/at-once'
import { createContext } from '../../factories/context'
import { runJobs } from '../../factories/messages'
import { createClient, startProvider } from '../../factories/oidc'
import { listenForLogouts } from '../../factories/oidc-flows'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let status = 500
let running: Awaited<ReturnType<typeof startProvider>>
let application: Awaited<ReturnType<typeof listenForLogouts>>
beforeAll(async () => {
  running = await startProvider()
  application = await listenForLogouts(() => status)
})
afterAll(() => Promise.all([running.stop(), application.stop()]))

const task = 'backchannelLogout'
const listening = () => createClient(running, { backchannelLogoutUri: `${application.url}/out?token=secret-of-theirs` })

async function queued(clientId: string, sid: string) {
  await queueLogout(db(), { clientId, accountId: 'somebody', sid })
  const [row] = await db().select().from(oidcLogouts).where(eq(oidcLogouts.sid, sid))
  return row?.id ?? ''
}

/** Lets the jobs that wait have one try left, and runs them. */
async function lastTry() {
  await db().execute(sql`select graphile_worker.reschedule_jobs(
    array(select id from graphile_worker.jobs where task_identifier = ${task} and attempts < max_attempts),
    run_at => now(), attempts => 7)`)
  await runJobs((name) => name === task)
}

const recorded = async (clientId: string) =>
  (
    await db()
      .select({ current: history.current })
      .from(history)
      .innerJoin(oidcClients, sql`${history.entityId} = ${oidcClients.id}::text`)
      .where(and(eq(oidcClients.clientId, clientId), eq(history.field, 'noticeGivenUp')))
  ).map(({ current }) => current)

const failed = async () =>
  (await listFailedJobs(await createContext({ methods: ['monitoring.read'] }))).jobs.find((job) => job.task === task)

const onCard = async ({ application: { id } }: Awaited<ReturnType<typeof createClient>>) => {
  const ctx = await createContext({ methods: ['applications.read'] })
  return (await readApplicationDetails(ctx, { params: { id } })).application.clients[0]?.givenUpNotices
}

async function counted(outcome: string) {
  const metric = await metrics().registry.getSingleMetric('platform_logout_notices_total')?.get()
  return metric?.values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0
}

test('a notice that is given up is in the history, on the overview and on the card; run again it arrives', async () => {
  const made = await listening()
  status = 500
  const before = await counted('givenUp')
  const id = await queued(made.clientId, 'first')
  await lastTry()
  const [row] = await db().select().from(oidcClients).where(eq(oidcClients.clientId, made.clientId))
  const reason = expect.stringMatching(/got: 500/)
  expect(await failed()).toMatchObject({ count: 1, error: expect.stringContaining(row?.name ?? '!') })
  expect(await recorded(made.clientId)).toEqual([reason])
  expect(await onCard(made)).toMatchObject({ count: 1, error: reason })
  expect(await counted('givenUp')).toBe(before + 1)
  const shownTexts = JSON.stringify([await failed(), await recorded(made.clientId), await onCard(made)])
  expect(shownTexts).not.toContain('secret-of-theirs')

  status = 204
  const writer = await createContext({ methods: ['monitoring.read', 'monitoring.write'] })
  expect(await retryJobs(writer, { params: { task } })).toEqual({ retried: 1 })
  await runJobs((name) => name === task)
  expect(await failed()).toBeUndefined()
  expect(await onCard(made)).toBeNull()
  expect(await db().select().from(oidcLogouts).where(eq(oidcLogouts.id, id))).toMatchObject([{ status: 'sent' }])
})

test('thirty that are given up at once are one row of the history, and all of them run again', async () => {
  const made = await listening()
  status = 503
  const ids = await thirty((n) => queued(made.clientId, `many ${n}`))
  await thirty((n) => expect(sendLogoutNotice(ids[n] ?? '', { lastTry: true })).rejects.toThrow('503'))
  expect(await recorded(made.clientId)).toHaveLength(1)
  expect(await onCard(made)).toMatchObject({ count: 30 })
  status = 200
  await thirty((n) => sendLogoutNotice(ids[n] ?? '', { lastTry: false }))
  expect(await onCard(made)).toBeNull()
  await runJobs((name) => name === task)
})

test('a client that takes no notices any more leaves no job that nobody can cure', async () => {
  const made = await listening()
  status = 500
  await queued(made.clientId, 'gone')
  await db().update(oidcClients).set({ backchannelLogoutUri: null }).where(eq(oidcClients.clientId, made.clientId))
  dropCached('oidc-clients')
  await lastTry()
  expect([await failed(), await recorded(made.clientId)]).toEqual([undefined, []])
})

test('what nobody has run again goes with its notice, after its time', async () => {
  const made = await listening()
  status = 500
  await queued(made.clientId, 'old')
  await lastTry()
  await tidyLogouts(new Date(Date.now() - 60_000))
  expect(await failed()).toMatchObject({ count: 1 })
  await tidyLogouts(new Date(Date.now() + 60_000))
  expect([await failed(), await onCard(made)]).toEqual([undefined, null])
})
