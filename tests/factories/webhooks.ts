import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import * as calls from '@/lib/applications/webhooks/contract'
import { systemicMethods } from '@/lib/base/access/access-methods'
import type { EntityName } from '@/lib/base/contracts/entity-names.generated'
import { putEvent } from '@/lib/base/events/outbox'
import { signedInWith } from './access'
import { newApplication } from './applications'
import { Caller } from './caller'
import { change, letTimePass } from './events'
import { runJobs } from './messages'
import { holdMethods } from './service-accounts'

/** An application whose service account holds these methods. */
export async function listeningApplication(methods: readonly string[] = ['users.read', 'roles.read']) {
  const application = await newApplication()
  await holdMethods(application.id, methods)
  return application
}

let everything: Caller | undefined
/** Somebody who holds every method. */
export const webhookAdministrator = async () =>
  (everything ??= new Caller((await signedInWith([...systemicMethods])).browser))

/** Creates a webhook of a new application. Returns what its calls take, and its secret. */
export async function createHook(
  url: string,
  { methods, types = ['user.created', 'user.updated', 'user.deleted'] }: { methods?: string[]; types?: string[] } = {},
) {
  const [caller, application] = [await webhookAdministrator(), await listeningApplication(methods)]
  const body = { name: 'Склад', url, types: types as never }
  const { id: webhookId, secret } = await caller.call(calls.createWebhook, { params: { id: application.id }, body })
  return { caller, secret, application, webhookId, params: { id: application.id, webhookId } }
}
export type Hook = Awaited<ReturnType<typeof createHook>>

/** Records a change of an object, as verbs do. Returns its id. */
export async function happen({
  entity = 'users',
  id = randomUUID(),
  ...more
}: Parameters<typeof change>[2] & { entity?: EntityName; id?: string } = {}) {
  await db().transaction((tx) => putEvent(tx, change(entity, id, { changes: { enabled: { current: true } }, ...more })))
  return id
}

export const hookOf = async ({ caller, params }: Hook) => (await caller.call(calls.readWebhook, { params })).webhook
export const logOf = async ({ caller, params }: Hook, query: object = {}) =>
  (await caller.call(calls.listWebhookDeliveries, { params, query: query as never })).deliveries

/** A message of the log with what was sent and answered. */
export const messageOf = async ({ caller, params }: Hook, deliveryId: string) =>
  (await caller.call(calls.readWebhookDelivery, { params: { ...params, deliveryId } })).delivery

/** Makes everything due that waits, also what is held back, and runs it. */
export async function later() {
  await letTimePass()
  await db().execute(sql`update webhook_states set held_until = null`)
  await runJobs()
}

/** Moves the failures of all webhooks into the past by so many hours. */
export const failedBefore = (hours: number) =>
  db().execute(sql`update webhook_states set failing_since = failing_since - ${hours} * interval '1 hour'`)
