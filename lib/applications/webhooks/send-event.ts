import { randomUUID } from 'node:crypto'
import { db } from '@/db/client'
import { type SystemicMethod, withImplied } from '@/lib/base/access/access-methods'
import { type AuditContext, audit } from '@/lib/base/audit/audit'
import { skipWaiting } from '@/lib/base/events/delivery/store'
import { storeDomainEvent } from '@/lib/base/events/events'
import type { DeliveryResult, GroupDelivery, SubscriberGroup, Tries } from '@/lib/base/events/handlers'
import type { RecordedEvent } from '@/lib/base/events/outbox'
import { webhookEntity } from './entity'
import * as rows from './queries'
import { openSecrets } from './secrets'
import { type Sent, send } from './send'
import { methodOf, typeOf, type WebhookType } from './types'

/** Returns the name of a webhook's handler in the event outbox. */
export const handlerOf = (id: string) => `webhook:${id}`
const idOf = (handler: string) => handler.slice('webhook:'.length)

/** The longest wait between two tries, in seconds; 15 waits make a day and a half. */
const longestWait = 4.5 * 3_600
/** Hours of failures after which a webhook is disabled, whatever the number of tries of each message. */
const longestFailure = 36

/**
 * 16 tries: at once, after 5, 15, 45 seconds and so on, at last every four and a half hours. Each wait is a tenth
 * longer or shorter, so that messages that failed at the same time aren't sent at the same time again.
 */
export const webhookTries: Tries = {
  most: 16,
  wait: (tries) => Math.min(5 * 3 ** (tries - 1), longestWait) * (0.9 + Math.random() * 0.2),
}

/** Returns the id of a message, which is the same for each try and each replay. */
export const messageIdOf = (deliveryId: string) => `msg_${deliveryId.replaceAll('-', '')}`

/**
 * Returns a function that says whether these methods let an application hear of a type
 * (docs/rules/webhooks.md#what-an-application-may-hear).
 */
export const mayHear = (methods: Iterable<string>) => {
  const effective = withImplied(methods)
  return (type: string) => effective.has(methodOf(type as WebhookType) satisfies SystemicMethod)
}

/** Returns the body of a message: the changed object and the names of the changed fields, without values. */
export const bodyOf = (type: string, event: Pick<RecordedEvent, 'entity' | 'entityId' | 'changes' | 'date'>) =>
  JSON.stringify({
    type,
    timestamp: event.date.toISOString(),
    data: { id: event.entityId, entity: event.entity, changedFields: Object.keys(event.changes) },
  })

/** Returns why an event isn't sent; null if it is. */
function refusalOf(target: rows.Target, type: string): string | null {
  if (!target.open) return 'webhookApplicationOff'
  if (!target.webhook.types.includes(type)) return 'webhookUnsubscribed'
  return mayHear(target.methods)(type) ? null : 'webhookForbidden'
}

/** Stores a failed try. Returns for how many hours all tries of the webhook have failed. */
async function storeFailedTry(id: string, sent: Sent, attempt: number, delivery: rows.WebhookDelivery) {
  // counted first: the next try comes after the pause that this one may begin
  const failingFor = await rows.countFailure(delivery.webhookId, sent.pause)
  await rows.endDelivery(id, { ...sent, status: 'wait', again: attempt < webhookTries.most ? delivery : null })
  return failingFor
}

/** Thrown so that a message is tried again. Its text contains nothing from the receiver. */
class NotReceived extends Error {
  override name = 'NotReceived'
}

async function work(
  event: RecordedEvent,
  { handler, deliveryId, attempt, signal }: GroupDelivery,
): Promise<DeliveryResult> {
  const webhookId = idOf(handler)
  const type = typeOf(event)
  if (!type) return { state: 'skipped' }
  const body = bodyOf(type, event)
  const target = await rows.beginSending({ webhookId, deliveryId, type, request: body, attempts: attempt })
  if (!target) return { state: 'skipped' }
  const { id } = target
  const fault = refusalOf(target, type)
  if (fault) {
    const end = { status: 'dropped', fault, httpStatus: null, duration: null, response: null } as const
    return { state: 'skipped', also: rows.endingOf(id, end) }
  }
  const secrets = openSecrets(target.webhook, new Date())
  const sent = await send({ url: target.webhook.url, secrets }, { id: messageIdOf(deliveryId), body }, signal)
  if (!sent.fault) {
    if (target.failing) await rows.forgetFailures(webhookId)
    return { state: 'delivered', also: rows.endingOf(id, { ...sent, status: 'success' }) }
  }
  const failingFor = await storeFailedTry(id, sent, attempt, { webhookId, deliveryId })
  if (sent.fault === 'webhookGone') await disable(webhookId, 'gone')
  else if (failingFor > longestFailure) await disable(webhookId, 'failed')
  else throw new NotReceived(`${sent.fault}${sent.httpStatus ? ` ${sent.httpStatus}` : ''}`)
  return { state: 'delivered' }
}

/** Disables a webhook, ends its waiting messages, and notifies the people who may change applications. */
async function disable(webhookId: string, reason: 'gone' | 'failed'): Promise<void> {
  const ctx: AuditContext = { ip: '', user: null, requestId: randomUUID(), now: () => new Date() }
  await db().transaction(async (tx) => {
    const row = await rows.lockWithApplication(tx, webhookId)
    if (!row?.webhook.enabled) return
    await rows.webhookRows.update(tx, webhookId, { enabled: false, disabledReason: reason })
    await setAside(tx, webhookId)
    await audit(tx, ctx, webhookEntity, webhookId, { enabled: true }, { enabled: false })
    await storeDomainEvent(tx, ctx, 'webhookDisabled', {
      userIds: await rows.selectEditors(tx),
      applicationId: row.webhook.applicationId,
      webhook: row.webhook.name,
      application: row.application.name,
      applicationEn: row.application.nameEn,
      reason,
    })
  })
}

/** Ends the waiting messages of a webhook: they are sent only if somebody replays them. */
export async function setAside(tx: Parameters<typeof skipWaiting>[0], webhookId: string) {
  await skipWaiting(tx, handlerOf(webhookId))
  await rows.endWaiting(tx, webhookId)
  await rows.clearState(tx, webhookId)
}

/** The subscriber group of webhooks: handlers of audit events (ADR 87). */
export const webhookHandlers: SubscriberGroup = {
  listeners: (change) => {
    const type = typeOf(change)
    return type ? rows.listenersOf(type) : null
  },
  work,
  owner: rows.ownerOf,
  tries: webhookTries,
  heldUntil: (handler) => rows.heldUntil(idOf(handler)),
  onDead: (handler) => disable(idOf(handler), 'failed'),
}
