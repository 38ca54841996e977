import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications, history, oidcClients, oidcRecords } from '@/db/schema'
import { orderApplications, orderedApplications } from '@/lib/applications/applications/manage'
import type { Ctx } from '@/lib/base/context/ctx'
import { deleteApplication } from '@/lib/openid/applications/service'
import * as clients from '@/lib/openid/clients/service'
import { clientBody } from '../../factories/administered-applications'
import { administrator, newApplication } from '../../factories/applications'
import { thirty } from '../../factories/at-once'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: { status?: number }) => {
      if (!error.status) throw error
      return error.status
    },
  )
const made = async (ctx: Ctx) => {
  const { id, code } = await newApplication()
  const { clientId, ...rest } = clientBody()
  await clients.createClient(ctx, { ...rest, clientId, applicationId: id, pkceRequired: true })
  return { id, code, clientId }
}

test('of thirty new secrets at once the newest is the current one, at most one other works, and each is recorded', async () => {
  const ctx = await administrator()
  const { clientId } = await made(ctx)
  const secrets = await thirty(() => clients.rotateClientSecret(ctx, { clientId, overlap: 3600 }))
  const { secret } = await clients.readClientSecret(ctx, { clientId })
  expect(secrets.map((one) => one.secret)).toContain(secret)
  const [row] = await db().select().from(oidcClients).where(eq(oidcClients.clientId, clientId))
  expect(row?.secrets).toHaveLength(2)
  expect(row?.secrets.filter(({ expiresAt }) => expiresAt === null)).toHaveLength(1)
  const rows = await db()
    .select()
    .from(history)
    .where(eq(history.entityId, row?.id ?? ''))
  expect(rows.filter(({ type, field }) => type === 'update' && field === 'secret').length).toBeGreaterThanOrEqual(30)
  expect(JSON.stringify(rows)).not.toContain(secret)
})

test('of thirty orders of the same list at once one wins, and no place is lost', async () => {
  const ctx = await administrator()
  await thirty(() => newApplication())
  const read = (await orderedApplications(ctx)).map(({ id }) => id)
  const turned = (n: number) => [...read.slice(n + 1), ...read.slice(0, n + 1)]
  const statuses = await thirty((n) =>
    statusOf(orderApplications(ctx, { body: { order: turned(n).map((id, order) => ({ id, order })), read } })),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(29)
  const rows = await orderedApplications(ctx)
  expect(rows.map(({ id }) => id)).toEqual(turned(statuses.indexOf(200)))
  expect(new Set(rows.map(({ order }) => order)).size).toBe(rows.length)
})

test('of thirty deletions at once one wins, and nothing of the application is left', async () => {
  const ctx = await administrator()
  const { id, clientId } = await made(ctx)
  await db()
    .insert(oidcRecords)
    .values({ idHash: clientId, model: 'Grant', payload: 'sealed', clientId, expiresAt: new Date('2126-01-01') })
  const statuses = await thirty(() => statusOf(deleteApplication(ctx, { params: { id } })))
  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 29 }, () => 404)])
  expect(await db().$count(applications, eq(applications.id, id))).toBe(0)
  expect(await db().$count(oidcClients, eq(oidcClients.clientId, clientId))).toBe(0)
  expect(await db().$count(oidcRecords, eq(oidcRecords.clientId, clientId))).toBe(0)
})
