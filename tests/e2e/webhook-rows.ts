import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { applications } from '@/db/schema/platform'
import { webhookDeliveries, webhookStates, webhooks } from '@/db/schema/webhooks'
import { newSecret, stored } from '@/lib/applications/webhooks/secrets'
import { newApplication } from '../factories/applications'
import { holdMethods } from '../factories/service-accounts'

export const webhooksOf = (applicationId: string) => `/platform/setting/applications/${applicationId}?tab=webhooks`
export const webhookCard = ({ applicationId, id }: { applicationId: string; id: string }) =>
  `/platform/setting/applications/${applicationId}/webhooks/${id}`

/** An application whose service account holds these methods. It goes with its webhooks by `remove`. */
export async function hearing(methods: readonly string[] = ['users.read', 'roles.read']) {
  const { id } = await newApplication({ name: 'Складской учёт', nameEn: 'Stock keeping' })
  await holdMethods(id, methods)
  return { id, remove: () => db().delete(applications).where(eq(applications.id, id)) }
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

/** A webhook of an application that hears of nothing that happens in tests. Returns its row. */
export async function putWebhook(applicationId: string, values: Partial<typeof webhooks.$inferInsert> = {}) {
  const id = randomUUID()
  const [row] = await db()
    .insert(webhooks)
    .values({
      id,
      applicationId,
      name: 'Остатки',
      url: 'https://stock.polaris.example/hooks/platform?of=users',
      types: ['user.deleted', 'role.deleted'],
      enabled: false,
      secrets: [stored(newSecret(), id, minutesAgo(60 * 24 * 20))],
      ...values,
    })
    .returning()
  if (!row) throw new Error('no webhook was stored')
  return row
}

const request = JSON.stringify({
  type: 'user.updated',
  timestamp: '2026-11-25T10:00:00.123Z',
  data: { id: '6a1f0c53-90f4-4a9e-8e1f-6d5d6f5c2a11', entity: 'users', changedFields: ['email', 'locale'] },
})

/** A log with messages in each of their states. */
export async function putLog(webhookId: string) {
  const common = { webhookId, request }
  await db()
    .insert(webhookDeliveries)
    .values([
      {
        ...{ ...common, deliveryId: randomUUID(), type: 'user.updated', status: 'wait' as const, attempts: 4 },
        ...{ httpStatus: 503, duration: 212, fault: 'webhookAnswer', response: '{"error":"maintenance"}' },
        ...{ nextAt: minutesAgo(-3), createdAt: minutesAgo(2) },
      },
      {
        ...{ ...common, deliveryId: randomUUID(), type: 'user.created', status: 'success' as const, attempts: 1 },
        ...{ httpStatus: 204, duration: 38, response: '', createdAt: minutesAgo(30) },
      },
      {
        ...{ ...common, deliveryId: randomUUID(), type: 'role.updated', status: 'failure' as const, attempts: 16 },
        ...{ duration: 15_001, fault: 'webhookTimeout', createdAt: minutesAgo(60 * 40) },
      },
      {
        ...{ ...common, deliveryId: randomUUID(), type: 'role.deleted', status: 'dropped' as const, attempts: 1 },
        ...{ fault: 'webhookForbidden', createdAt: minutesAgo(60 * 41) },
      },
      {
        ...{ ...common, type: 'webhook.test', status: 'success' as const, attempts: 1 },
        ...{ httpStatus: 200, duration: 61, response: 'ok', createdAt: minutesAgo(60 * 44) },
      },
    ])
}

/** Since when every message of a webhook failed. */
export const failing = (webhookId: string) =>
  db()
    .insert(webhookStates)
    .values({ webhookId, failures: 5, failingSince: minutesAgo(190) })
