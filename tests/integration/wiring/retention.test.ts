import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { invitationRoles, invitations, passwordFailures, runRows, runs } from '@/db/schema'
import { readBatchJob, resumeBatchJob, startBatchJob, tidyBatchJobs } from '@/lib/base/batch-jobs/batch-jobs'
import { disownBatchJobs, hasStarter } from '@/lib/base/batch-jobs/store'
import { batchSize, turnsPerDay } from '@/lib/base/postgres/batches'
import { platformHousekeeping } from '@/lib/wiring/housekeeping'
import { createContractor, createContractorRole } from '../../factories/companies'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const day = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * day)
const step = (name: string, now = new Date()) => platformHousekeeping[name]?.(now)

test('an invitation goes with its roles a year after it is over, however it ended; an open one stays', async () => {
  const { contractor, organization } = await createContractor()
  const role = await createContractorRole([])
  const invite = async (status: (typeof invitations.$inferInsert)['status'], expired: number, finished?: number) => {
    const [made] = await db()
      .insert(invitations)
      .values({
        status,
        idHash: randomUUID(),
        email: `${randomUUID()}@polaris.example`,
        contractorId: contractor.id,
        createdAt: ago(900),
        expiresAt: ago(expired),
        finishedAt: finished === undefined ? null : ago(finished),
      })
      .returning({ id: invitations.id })
    const id = made?.id ?? ''
    await db().insert(invitationRoles).values({ invitationId: id, organizationId: organization.id, roleId: role.id })
    return id
  }
  const old = [
    await invite('deactivated', 366),
    await invite('success', 300, 366),
    await invite('refusal', 360, 370),
    await invite('deleted', 360, 370),
    await invite('autoSuccess', 360, 370),
  ]
  const young = [await invite('deactivated', 364), await invite('success', 800, 364), await invite('active', -1)]
  await step('oldInvitations')
  const remaining = await db().select({ id: invitations.id }).from(invitations)
  expect(remaining.map(({ id }) => id).sort()).toEqual(young.sort())
  expect(await db().$count(invitationRoles)).toBe(young.length)
  expect(old).toHaveLength(5)
})

test('a job that was given up goes a month later, with the e-mail that it has; one that is still tried stays', async () => {
  const add = async (attempts: number, days: number) => {
    const { rows } = await db().execute<{ id: string }>(sql`
      select id::text from graphile_worker.add_job('recoveryLinks', '{"email": "somebody@polaris.example"}'::json, max_attempts => 3)`)
    await db().execute(sql`update graphile_worker._private_jobs set attempts = ${attempts},
      updated_at = now() - ${days} * interval '1 day' where id = ${rows[0]?.id}`)
    return rows[0]?.id ?? ''
  }
  const [over, fresh, tried] = [await add(3, 31), await add(3, 29), await add(2, 31)]
  await step('failedJobs')
  const { rows } = await db().execute<{ id: string }>(
    sql`select id::text from graphile_worker._private_jobs order by id`,
  )
  const remainingIds = rows.map(({ id }) => id)
  expect(remainingIds).not.toContain(over)
  expect(remainingIds).toEqual(expect.arrayContaining([fresh, tried]))
})

test('wrong passwords of an account that is gone go within a day, those of one that is there stay', async () => {
  const existing = await createUser({ roles: [] })
  const goneAccounts = Array.from({ length: 40 }, () => randomUUID())
  const row = (userId: string, days: number) => ({ key: randomUUID(), userId, count: 1, lastAt: ago(days) })
  await db()
    .insert(passwordFailures)
    .values([row(existing.id, 90), ...goneAccounts.map((id) => row(id, 31)), row(randomUUID(), 29)])
  for (let turn = 0; turn < turnsPerDay; turn++) await step('signIn', new Date(Date.now() + turn * 600_000))
  expect(await db().$count(passwordFailures)).toBe(2)
  expect(await db().$count(passwordFailures, eq(passwordFailures.userId, existing.id))).toBe(1)
})

test('an old run is nobody’s before its rows go in batches, and a killed worker leaves nothing behind', async () => {
  const { id: userId } = await createUser({ roles: [] })
  const scope = { kind: 'test', userId }
  const many = batchSize * 2 + 5
  const rows = Array.from({ length: many }, (_, at) => ({ row: at + 1, title: '', input: {} }))
  const id = await db().transaction((tx) => startBatchJob(tx, scope, { options: {}, rows, now: ago(40) }))
  await db().update(runs).set({ state: 'stopped' }).where(eq(runs.id, id))
  const then = new Date(Date.now() + 31 * day)
  // a worker that dies after its first statement
  expect(await disownBatchJobs(new Date(then.getTime() - 30 * day), hasStarter, 100)).toBe(1)
  await expect(readBatchJob(scope, id)).rejects.toMatchObject({ status: 404 })
  await expect(resumeBatchJob(scope, id)).rejects.toMatchObject({ status: 404 })
  expect(await db().$count(runRows, eq(runRows.runId, id))).toBe(many)
  await Promise.all([tidyBatchJobs(then), tidyBatchJobs(then)])
  expect({
    rows: await db().$count(runRows, eq(runRows.runId, id)),
    runs: await db().$count(runs, eq(runs.id, id)),
  }).toEqual({ rows: 0, runs: 0 })
})
