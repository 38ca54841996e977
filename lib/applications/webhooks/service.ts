import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing, requireUnchanged } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { recorded } from '@/lib/base/audit/entity'
import { switchEnabled } from '@/lib/base/audit/switch-enabled'
import { callerId, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { countEvents, countWaiting, redeliver } from '@/lib/base/events/delivery/store'
import { enqueue } from '@/lib/base/jobs/jobs'
import { takePoints } from '@/lib/base/limits/limits'
import { env } from '@/lib/base/runtime/env'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { maskedAddress } from '@/lib/base/text/masks'
import { lockApplication, mayChangeApplication } from '../applications/service'
import type * as calls from './contract'
import { mostCounted, mostWebhooks, overlap, replayDays } from './contract'
import { webhookEntity } from './entity'
import * as rows from './queries'
import { newSecret, openSecrets, shownSecrets, stored, validSecrets } from './secrets'
import { send } from './send'
import { bodyOf, handlerOf, mayHear, messageIdOf, setAside } from './send-event'
import { methodOf, testType, topicsOf, webhookTypes } from './types'

const [read, write] = ['applications.read', 'applications.write'] as const

/** How often a caller may send a test message or start a replay in an hour. */
const limitTiers = [{ points: 60, duration: 3_600 }]

type ById = { params: { id: string; webhookId: string } }

const recordedOf = (
  row: Pick<rows.WebhookRow, 'secrets' | 'name' | 'url' | 'types' | 'applicationId' | 'enabled'>,
) => ({
  ...recorded(webhookEntity, row),
  secret: row.secrets.map(({ sealed }) => sealed),
})

/**
 * Returns webhooks as answers show them: callers who may change a webhook get its whole address, others a masked one.
 */
async function webhookAnswers(ctx: Ctx, applicationId: string, id?: string): Promise<calls.Webhook[]> {
  const webhookRows = await rows.selectWebhooks(applicationId, id)
  const [editor, methods, waiting] = await Promise.all([
    mayChangeApplication(ctx, applicationId, 'itself'),
    rows.selectSystemicMethods(db(), applicationId),
    countWaiting(
      webhookRows.map(({ webhook }) => handlerOf(webhook.id)),
      mostCounted,
    ),
  ])
  const hears = mayHear(methods)
  return webhookRows.map(({ webhook, state, last }) => ({
    id: webhook.id,
    name: webhook.name,
    url: editor ? webhook.url : maskedAddress(webhook.url),
    types: webhook.types,
    enabled: webhook.enabled,
    disabledReason: webhook.disabledReason,
    secrets: shownSecrets(webhook, ctx.now()),
    failingSince: state?.failingSince?.toISOString() ?? null,
    waiting: waiting.get(handlerOf(webhook.id)) ?? 0,
    last: last && { ...last, at: last.at.toISOString() },
    forbiddenTypes: webhook.types.filter((type) => !hears(type)),
    updatedAt: webhook.updatedAt.toISOString(),
  }))
}

/** Returns the webhooks of an application, and the types of which it may hear. Needs applications.read. Throws 404. */
export async function listWebhooks(
  ctx: Ctx,
  { params: { id } }: ServiceInput<typeof calls.listWebhooks>,
): Promise<ServiceOutput<typeof calls.listWebhooks>> {
  requireMethod(ctx, read)
  if (!(await rows.isApplication(id))) throw notFound()
  const [webhooks, methods] = await Promise.all([webhookAnswers(ctx, id), rows.selectSystemicMethods(db(), id)])
  const hears = mayHear(methods)
  const types = webhookTypes.map((type) => ({ type, method: methodOf(type), allowed: hears(type) }))
  return { webhooks, types }
}

/** Returns a webhook without its secrets. Needs applications.read. Throws 404. */
export async function readWebhook(ctx: Ctx, { params: { id, webhookId } }: ById) {
  requireMethod(ctx, read)
  const [webhook] = await webhookAnswers(ctx, id, webhookId)
  if (!webhook) throw notFound()
  return { webhook }
}

type Body = ServiceInput<typeof calls.createWebhook>['body']

/** Throws 400 by field for an address without https in production, and for types that the application may not hear. */
function requireAllowed({ url, types }: Body, serviceMethods: readonly { code: string; kind: string }[]) {
  if (env().PLATFORM_MODE === 'production' && !url.startsWith('https:')) throw fieldError('url', 'errorWebhookHttps')
  const hears = mayHear(serviceMethods.flatMap(({ code, kind }) => (kind === 'systemic' ? [code] : [])))
  if (!types.every(hears)) throw fieldError('types', 'errorWebhookType')
}

/**
 * Creates a webhook of an application. Returns its secret, which is not shown again. Needs applications.write. Throws
 * 400 by field, 409 webhookTooMany, and what `lockApplication` throws.
 */
export async function createWebhook(
  ctx: Ctx,
  { params: { id: applicationId }, body }: ServiceInput<typeof calls.createWebhook>,
) {
  requireMethod(ctx, write)
  const [id, secret] = [randomUUID(), newSecret()]
  await changing([], async (tx) => {
    const { serviceMethods } = await lockApplication(tx, ctx, applicationId, 'itself')
    requireAllowed(body, serviceMethods)
    if ((await rows.countOf(tx, applicationId)) >= mostWebhooks) throw new AppError(409, 'webhookTooMany')
    const values = { ...body, id, applicationId, enabled: true, secrets: [stored(secret, id, ctx.now())] }
    await rows.webhookRows.insert(tx, { ...values, createdAt: ctx.now() })
    await audit(tx, ctx, webhookEntity, id, null, recordedOf(values))
  })
  return { id, secret }
}

/** Locks an application and one of its webhooks. Throws 404, and what `lockApplication` throws. */
async function lockOf(tx: Transaction, ctx: Ctx, { params: { id, webhookId } }: ById) {
  const application = await lockApplication(tx, ctx, id, 'itself')
  const row = await rows.lockWebhook(tx, id, webhookId)
  if (!row) throw notFound()
  return { row, application }
}

/**
 * Replaces name, address and types of a webhook. Needs applications.write. Throws 400 by field, 404, 409 if somebody
 * has saved it since, and what `lockApplication` throws.
 */
export async function updateWebhook(ctx: Ctx, input: ServiceInput<typeof calls.updateWebhook>) {
  requireMethod(ctx, write)
  const { updatedAt, ...values } = input.body
  const { webhookId: id } = input.params
  await changing([], async (tx) => {
    const { serviceMethods } = await lockApplication(tx, ctx, input.params.id, 'itself')
    const row = await rows.lockWebhook(tx, input.params.id, id)
    const before = await requireVersion(tx, ctx, webhookEntity, { id, row, updatedAt })
    requireAllowed(values, serviceMethods)
    const { enabled, applicationId, secrets } = before
    const unchanged = { enabled, applicationId, secrets }
    if (await audit(tx, ctx, webhookEntity, id, recordedOf(before), recordedOf({ ...unchanged, ...values })))
      await rows.webhookRows.update(tx, id, values)
  })
  return {}
}

/** Deletes a webhook with its log. Needs applications.write. Throws 404, and what `lockApplication` throws. */
export async function deleteWebhook(ctx: Ctx, input: ById) {
  requireMethod(ctx, write)
  await changing([], async (tx) => {
    const { row } = await lockOf(tx, ctx, input)
    await setAside(tx, row.id)
    await rows.webhookRows.remove(tx, row.id)
    await audit(tx, ctx, webhookEntity, row.id, recordedOf(row), null)
  })
  return {}
}

/**
 * Enables or disables a webhook, and ends its waiting messages. Needs applications.write. Throws 404, 409 if somebody
 * has changed it since, and what `lockApplication` throws.
 */
export async function enableWebhook(ctx: Ctx, input: ServiceInput<typeof calls.enableWebhook>) {
  requireMethod(ctx, write)
  const { id } = { id: input.params.webhookId }
  await changing([], async (tx) => {
    await lockOf(tx, ctx, input)
    const rules = { ...rows.webhookRows, entity: webhookEntity }
    if (!(await switchEnabled(tx, ctx, { params: { id }, body: input.body }, rules))) return
    await rows.webhookRows.update(tx, id, { disabledReason: null })
    await setAside(tx, id)
  })
  return {}
}

/**
 * Creates a new secret. Returns it; it is not shown again. The previous secret stays valid for 24 hours, older ones
 * end. Needs applications.write. Throws 404, 409 if somebody has changed it since, and what `lockApplication` throws.
 */
export async function rotateWebhookSecret(ctx: Ctx, input: ServiceInput<typeof calls.rotateWebhookSecret>) {
  requireMethod(ctx, write)
  const secret = newSecret()
  await changing([], async (tx) => {
    const { row } = await lockOf(tx, ctx, input)
    requireUnchanged(row, input.body.updatedAt)
    const [previous] = row.secrets
    const until = new Date(ctx.now().getTime() + overlap * 1_000).toISOString()
    const previousSecrets = previous ? [{ ...previous, expiresAt: until }] : []
    const after = { ...row, secrets: [stored(secret, row.id, ctx.now()), ...previousSecrets] }
    await audit(tx, ctx, webhookEntity, row.id, recordedOf(row), recordedOf(after))
    await rows.webhookRows.update(tx, row.id, { secrets: after.secrets })
  })
  return { secret }
}

/**
 * Ends the previous secret at once. Needs applications.write. Throws 404, also without one, and what `lockApplication`
 * throws.
 */
export async function endPreviousWebhookSecret(ctx: Ctx, input: ById) {
  requireMethod(ctx, write)
  await changing([], async (tx) => {
    const { row } = await lockOf(tx, ctx, input)
    const [newest, previous] = validSecrets(row, ctx.now())
    if (!newest || !previous) throw notFound()
    await audit(tx, ctx, webhookEntity, row.id, recordedOf(row), recordedOf({ ...row, secrets: [newest] }))
    await rows.webhookRows.update(tx, row.id, { secrets: [newest] })
  })
  return {}
}

/**
 * Sends a message of the type `webhook.test` at once, and records it in the log. Needs applications.write. Throws 404,
 * 429, and what `lockApplication` throws.
 */
export async function testWebhook(ctx: Ctx, input: ById) {
  requireMethod(ctx, write)
  const { row } = await db().transaction((tx) => lockOf(tx, ctx, input))
  await takePoints({ name: 'webhook-test', key: callerId(ctx), tiers: limitTiers })
  const change = { entity: 'webhooks' as const, entityId: row.id, changes: {}, date: ctx.now() }
  const body = bodyOf(testType, change)
  const newDelivery = { webhookId: row.id, deliveryId: null, type: testType, request: body, attempts: 1 }
  const id = await rows.beginDelivery(newDelivery)
  if (!id) throw notFound()
  const { pause: _, ...result } = await send(
    { url: row.url, secrets: openSecrets(row, ctx.now()) },
    { id: messageIdOf(id), body },
  )
  await rows.endDelivery(id, { ...result, status: result.fault ? 'failure' : 'success' })
  return { id, ...result }
}

/** Returns a row of the log as answers show it. */
function deliveryAnswer({ deliveryId, webhookId: _, ...row }: rows.LoggedRow): calls.WebhookDelivery {
  return {
    ...row,
    messageId: messageIdOf(deliveryId ?? row.id),
    replayable: deliveryId !== null && row.status !== 'wait',
    nextAt: row.nextAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Returns one page of the log of a webhook. Needs applications.read. Throws 404. */
export async function listWebhookDeliveries(
  ctx: Ctx,
  { params: { id, webhookId }, query }: ServiceInput<typeof calls.listWebhookDeliveries>,
): Promise<ServiceOutput<typeof calls.listWebhookDeliveries>> {
  requireMethod(ctx, read)
  if (!(await rows.isWebhookOf(id, webhookId))) throw notFound()
  const caller = { timeZone: ctx.timeZone, caller: callerId(ctx), pageSize: ctx.user?.pagination ?? null }
  const { rows: deliveryRows, meta } = await rows.selectDeliveries(webhookId, query, caller)
  return { deliveries: deliveryRows.map(deliveryAnswer), meta }
}

/** Returns a message of the log with its request and answer. Needs applications.read. Throws 404. */
export async function readWebhookDelivery(ctx: Ctx, { params }: ServiceInput<typeof calls.readWebhookDelivery>) {
  requireMethod(ctx, read)
  const row = await rows.selectDelivery(params.id, params.webhookId, params.deliveryId)
  if (!row) throw notFound()
  const { request, response, ...logged } = row
  return { delivery: { ...deliveryAnswer(logged), request, response } }
}

/**
 * Sends a message of the log once more, with the same id. Needs applications.write. Throws 404, 409 webhookDisabled,
 * webhookWaiting and webhookEventGone, and what `lockApplication` throws.
 */
export async function replayWebhookDelivery(ctx: Ctx, input: ServiceInput<typeof calls.replayWebhookDelivery>) {
  requireMethod(ctx, write)
  await changing([], async (tx) => {
    const { row } = await lockOf(tx, ctx, input)
    const delivery = await rows.lockDelivery(tx, row.id, input.params.deliveryId)
    if (!delivery) throw notFound()
    if (!row.enabled) throw new AppError(409, 'webhookDisabled')
    if (delivery.status === 'wait') throw new AppError(409, 'webhookWaiting')
    if (!delivery.deliveryId || !(await redeliver(tx, delivery.deliveryId))) throw new AppError(409, 'webhookEventGone')
    await rows.restartDelivery(tx, delivery.id)
  })
  return {}
}

/**
 * Sends the events of a time span once more, also events that were never sent. Returns the number of these events.
 * Needs applications.write. Throws 400 errorWebhookSpan, 404, 409 webhookDisabled, 429, and what `lockApplication`
 * throws (docs/rules/webhooks.md#replay).
 */
export async function replayWebhook(ctx: Ctx, input: ServiceInput<typeof calls.replayWebhook>) {
  requireMethod(ctx, write)
  const [from, to] = [new Date(input.body.from), new Date(input.body.to)]
  if (from >= to) throw fieldError('to', 'errorWebhookSpan')
  if (from.getTime() < ctx.now().getTime() - replayDays * 86_400_000) throw fieldError('from', 'errorWebhookSpan')
  await takePoints({ name: 'webhook-replay', key: callerId(ctx), tiers: limitTiers })
  return changing([], async (tx) => {
    const { row } = await lockOf(tx, ctx, input)
    if (!row.enabled) throw new AppError(409, 'webhookDisabled')
    await enqueue(
      tx,
      'webhookReplay',
      { webhookId: row.id, from: from.toISOString(), to: to.toISOString(), after: 0 },
      { priority: 'run' },
    )
    return { events: await countEvents(tx, { from, to, topics: topicsOf(row.types) }) }
  })
}
