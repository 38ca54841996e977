import { and, asc, desc, eq, getTableColumns, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, type Transaction } from '@/db/client'
import { cursorPage, type Keys } from '@/db/cursor'
import { rolesInEffectWith } from '@/db/held-roles'
import { countRows, paged } from '@/db/list'
import { rowsById } from '@/db/rows'
import { applicationServiceMethods } from '@/db/schema/oidc'
import { outboxDeliveries } from '@/db/schema/operations'
import { methods } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'
import { webhookDeliveries, webhookStates, webhooks } from '@/db/schema/webhooks'
import { deleteInBatches } from '@/lib/base/postgres/batches'
import { dayBegins } from '@/lib/base/text/time-zone'
import type { WebhookDeliveryInput } from './contract'

export type WebhookRow = typeof webhooks.$inferSelect
type DeliveryRow = typeof webhookDeliveries.$inferSelect
/** A row of the log without its request and answer. */
export type LoggedRow = Omit<DeliveryRow, 'request' | 'response'>

/** Up to this number the log counts its total; above it shows "more than". */
const maxCounted = 1_000

const isWebhook = (applicationId: string, id: string) =>
  and(eq(webhooks.applicationId, applicationId), eq(webhooks.id, id))

/** Returns SQL that selects the handlers of the webhooks that hear of a type now. */
export const listenersOf = (type: string) => sql`select 'webhook:' || w.id as handler
  from ${webhooks} w join ${applications} a on a.id = w.application_id
  where w.enabled and a.enabled and a.type <> 'draft' and ${type}::text = any(w.types)`

/** Returns SQL of the owner of a handler, the application: owners take turns. */
export const ownerOf = (handler: SQL) => sql`(select 'application:' || w.application_id
  from ${webhooks} w where w.id = split_part(${handler}, ':', 2)::uuid)`

/**
 * Returns the webhooks of an application, the oldest first, with the state of sending and the newest message of each.
 */
export function selectWebhooks(applicationId: string, id?: string) {
  const { status, type, httpStatus, duration, fault, updatedAt } = webhookDeliveries
  const last = db()
    .select({ status, type, httpStatus, duration, fault, at: updatedAt })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, webhooks.id))
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(1)
    .as('last')
  return db()
    .select({
      webhook: webhooks,
      state: webhookStates,
      last: {
        status: last.status,
        type: last.type,
        httpStatus: last.httpStatus,
        duration: last.duration,
        fault: last.fault,
        at: last.at,
      },
    })
    .from(webhooks)
    .leftJoin(webhookStates, eq(webhookStates.webhookId, webhooks.id))
    .leftJoinLateral(last, sql`true`)
    .where(id ? isWebhook(applicationId, id) : eq(webhooks.applicationId, applicationId))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id))
}

/** Returns whether an application has this webhook. */
export const isWebhookOf = async (applicationId: string, id: string) =>
  (await db().$count(webhooks, isWebhook(applicationId, id))) > 0

/** Returns whether an application with this id exists. */
export const isApplication = async (id: string) => (await db().$count(applications, eq(applications.id, id))) > 0

/** Returns the codes of the systemic methods of an application's service account. */
export async function selectSystemicMethods(run: Database | Transaction, applicationId: string): Promise<string[]> {
  const rows = await run
    .select({ code: methods.code })
    .from(applicationServiceMethods)
    .innerJoin(methods, eq(methods.id, applicationServiceMethods.methodId))
    .where(and(eq(applicationServiceMethods.applicationId, applicationId), eq(methods.kind, 'systemic')))
  return rows.map(({ code }) => code)
}

export const webhookRows = rowsById(webhooks)

export const countOf = (tx: Transaction, applicationId: string) =>
  tx.$count(webhooks, eq(webhooks.applicationId, applicationId))

/** Locks a webhook of an application; undefined if there is none. */
export async function lockWebhook(tx: Transaction, applicationId: string, id: string) {
  const [row] = await tx.select().from(webhooks).where(isWebhook(applicationId, id)).for('update')
  return row
}

/** Locks a webhook, with the names of its application; undefined if there is none. */
export async function lockWithApplication(tx: Transaction, id: string) {
  const [row] = await tx
    .select({ webhook: webhooks, application: { name: applications.name, nameEn: applications.nameEn } })
    .from(webhooks)
    .innerJoin(applications, eq(applications.id, webhooks.applicationId))
    .where(eq(webhooks.id, id))
    .for('update', { of: webhooks })
  return row
}

/** Returns the people who may change applications. */
export async function selectEditors(tx: Transaction): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select distinct held.user_id as id from ${rolesInEffectWith(['applications.write'])} held
    where held.organization_id is null and held.contractor_id is null`)
  return rows.map(({ id }) => id)
}

/** Returns SQL of the moment until which nothing is sent to a webhook. */
export const heldUntil = (webhookId: string) =>
  sql`(select held_until from ${webhookStates} where webhook_id = ${webhookId}::uuid)`

/** Deletes the state of sending of a webhook. */
export const clearState = (run: Database | Transaction, webhookId: string) =>
  run.delete(webhookStates).where(eq(webhookStates.webhookId, webhookId))

/** Resets the failures of a webhook. A pause that another message has started in the meantime stays. */
export const forgetFailures = (webhookId: string) =>
  db().update(webhookStates).set({ failures: 0, failingSince: null }).where(eq(webhookStates.webhookId, webhookId))

/**
 * Counts a failed try, and pauses the webhook: from the third failure in a row on for up to five minutes, and after
 * each failure for as many seconds as the receiver asked for. Returns for how many hours tries have failed.
 */
export async function countFailure(webhookId: string, pause: number | null): Promise<number> {
  const pauseEnd = sql`now() + ${pause}::float8 * interval '1 second'`
  const heldTo = sql`greatest(${webhookStates.heldUntil}, ${pauseEnd}, case when ${webhookStates.failures} >= 2
    then now() + least(300, power(2, least(${webhookStates.failures}, 20))) * interval '1 second' end)`
  const [row] = await db()
    .insert(webhookStates)
    // a webhook that was deleted in the meantime gets no state
    .select(sql`select id, 1, now(), ${pauseEnd} from ${webhooks} where id = ${webhookId}`)
    .onConflictDoUpdate({
      target: webhookStates.webhookId,
      set: {
        failures: sql`${webhookStates.failures} + 1`,
        failingSince: sql`coalesce(${webhookStates.failingSince}, now())`,
        heldUntil: heldTo,
      },
    })
    .returning({ hours: sql<number>`extract(epoch from now() - ${webhookStates.failingSince})::float / 3600` })
  return row?.hours ?? 0
}

type NewDelivery = Pick<DeliveryRow, 'webhookId' | 'type' | 'request'> & { deliveryId: string | null; attempts: number }

/** Records a message that is about to be sent. Returns the id of its row; undefined if its webhook was deleted. */
export async function beginDelivery({ webhookId, deliveryId, type, request, attempts }: NewDelivery) {
  const [row] = await db()
    .insert(webhookDeliveries)
    .values({ webhookId, deliveryId, type, request, attempts })
    .onConflictDoUpdate({
      target: [webhookDeliveries.webhookId, webhookDeliveries.deliveryId],
      set: { status: 'wait', attempts, nextAt: null, duration: null },
    })
    .returning({ id: webhookDeliveries.id })
  return row?.id
}

export type Target = {
  /** The id of the row of the log. */
  id: string
  webhook: Pick<WebhookRow, 'id' | 'url' | 'types' | 'secrets'>
  /** Whether its application is enabled and no draft. */
  open: boolean
  /** The systemic methods of its application's service account. */
  methods: string[]
  /** Whether its last try failed. */
  failing: boolean
}

/**
 * Records a message that is about to be sent, as `beginDelivery` does, in one statement. Returns the data that sending
 * needs; undefined if its webhook was deleted or is disabled.
 */
export async function beginSending({ webhookId, deliveryId, type, request, attempts }: NewDelivery) {
  const [target] = await executePlanned<Target>(
    db(),
    sql`with target as materialized (
        select w.id as webhook_id, json_build_object('id', w.id, 'url', w.url, 'types', w.types, 'secrets', w.secrets) as webhook,
          a.enabled and a.type <> 'draft' as open, s.failing_since is not null as failing,
          array(select m.code from ${applicationServiceMethods} sm
            join ${methods} m on m.id = sm.method_id and m.kind = 'systemic' where sm.application_id = a.id) as methods
        from ${webhooks} w join ${applications} a on a.id = w.application_id
        left join ${webhookStates} s on s.webhook_id = w.id
        where w.id = ${webhookId}::uuid and w.enabled
      ), begun as (
        insert into ${webhookDeliveries} (webhook_id, delivery_id, type, request, attempts)
        select webhook_id, ${deliveryId}::uuid, ${type}::text, ${request}::text, ${attempts}::integer from target
        on conflict (webhook_id, delivery_id) do update
          set status = 'wait', attempts = excluded.attempts, next_at = null, duration = null
        returning id
      )
      select begun.id, target.webhook, target.open, target.methods, target.failing from target, begun`,
  )
  return target
}

/** A delivery of the event outbox to a webhook. */
export type WebhookDelivery = { webhookId: string; deliveryId: string }
type DeliveryEnd = Pick<DeliveryRow, 'status' | 'httpStatus' | 'duration' | 'fault' | 'response'> & {
  /** The delivery of the webhook that is tried again. */
  again?: WebhookDelivery | null
}

/** The time of the next try: that of the delivery, or a later end of the webhook's pause. */
const nextTry = ({ webhookId, deliveryId }: WebhookDelivery) => sql`(
    select greatest(try_at, ${heldUntil(webhookId)}) from ${outboxDeliveries} where id = ${deliveryId}::uuid)`

/** Returns SQL that stores the outcome of a try; a message that was ended in the meantime stays so. */
export const endingOf = (id: string, { status, httpStatus, duration, fault, response, again = null }: DeliveryEnd) =>
  sql`update ${webhookDeliveries} set status = ${status}, http_status = ${httpStatus}, duration = ${duration},
    fault = ${fault}, response = ${response}, next_at = ${again ? nextTry(again) : null}
    where id = ${id}::uuid and status = 'wait'`

/** Stores the outcome of a try. */
export const endDelivery = (id: string, end: DeliveryEnd) => executePlanned(db(), endingOf(id, end))

/** Ends the waiting messages in the log of a webhook. */
export const endWaiting = (tx: Transaction, webhookId: string) =>
  tx
    .update(webhookDeliveries)
    .set({ status: 'failure', nextAt: null })
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.status, 'wait')))

/** Lets a message of the log wait again. */
export const restartDelivery = (tx: Transaction, id: string) =>
  tx
    .update(webhookDeliveries)
    .set({ status: 'wait', attempts: 0, nextAt: sql`now()` })
    .where(eq(webhookDeliveries.id, id))

/** Returns a message of a webhook's log with its request and answer; undefined if there is none. */
export async function selectDelivery(applicationId: string, webhookId: string, id: string) {
  const [row] = await db()
    .select({ delivery: webhookDeliveries })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(and(isWebhook(applicationId, webhookId), eq(webhookDeliveries.id, id)))
  return row?.delivery
}

/** Locks a message of the log; undefined if there is none. */
export async function lockDelivery(tx: Transaction, webhookId: string, id: string) {
  const [row] = await tx
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.id, id)))
    .for('update')
  return row
}

const { request: _, response: __, ...loggedColumns } = getTableColumns(webhookDeliveries)

type PageCaller = { timeZone: string; caller: string; pageSize: number | null }

/** Returns one page of the log of a webhook, without requests and answers. */
export const selectDeliveries = (
  webhookId: string,
  query: WebhookDeliveryInput,
  { timeZone, caller, pageSize }: PageCaller,
) =>
  cursorPage(
    query,
    pageSize,
    {
      list: `webhook-deliveries ${webhookId}`,
      caller,
      sorts: { createdAt: webhookDeliveries.createdAt },
      tie: webhookDeliveries.id,
      total: maxCounted,
      filters: {
        status: (statuses) => inArray(webhookDeliveries.status, statuses),
        type: (types) => inArray(webhookDeliveries.type, types),
        createdFrom: (day) => gte(webhookDeliveries.createdAt, dayBegins(day, timeZone)),
        createdTo: (day) => lt(webhookDeliveries.createdAt, dayBegins(day, timeZone, 1)),
      },
    },
    {
      rows: ({ keys, where, ...parts }) =>
        paged(
          db()
            .select({ ...loggedColumns, keys: sql<Keys>`${keys}`.as('keys') })
            .from(webhookDeliveries)
            .$dynamic(),
          { ...parts, where: and(eq(webhookDeliveries.webhookId, webhookId), where) },
        ),
      count: (where, atMost) =>
        countRows(webhookDeliveries, and(eq(webhookDeliveries.webhookId, webhookId), where), atMost),
    },
  )

/** Deletes rows of the log that last changed before `before`. */
export const deleteOldDeliveries = (before: Date) =>
  deleteInBatches(webhookDeliveries, webhookDeliveries.updatedAt, lt(webhookDeliveries.updatedAt, before))
