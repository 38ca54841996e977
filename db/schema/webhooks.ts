import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgEnum, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, jsonb, moment, updatedAt } from './columns'
import { applications } from './platform'

export const webhookDisabledReason = pgEnum('webhook_disabled_reason', ['gone', 'failed'])
export const webhookDeliveryStatus = pgEnum('webhook_delivery_status', ['wait', 'success', 'failure', 'dropped'])

/** `sealed` is encrypted under the id of the webhook. */
export type WebhookSecret = { sealed: string; createdAt: string; expiresAt: string | null }

/** The address where an application receives events, and their types. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid().primaryKey().defaultRandom(),
    applicationId: uuid()
      .notNull()
      .references(() => applications.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    url: text().notNull(),
    /** The types of events, such as `user.created`. */
    types: text().array().notNull(),
    enabled: boolean().notNull().default(true),
    /** Why the platform disabled it; null if a person did. */
    disabledReason: webhookDisabledReason(),
    /** The newest first; the previous one as long as it is valid. */
    secrets: jsonb().$type<WebhookSecret[]>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('webhooks_application').on(t.applicationId)],
)

/** The state of sending to a webhook. It changes often, so it is separate from the data that people edit. */
export const webhookStates = pgTable('webhook_states', {
  webhookId: uuid()
    .primaryKey()
    .references(() => webhooks.id, { onDelete: 'cascade' }),
  /** Failed attempts in a row. */
  failures: integer().notNull().default(0),
  /** The time of the first of them. */
  failingSince: moment(),
  /** Before this time nothing is tried. */
  heldUntil: moment(),
})

/** The log: each message with its result. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey().defaultRandom(),
    webhookId: uuid()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** The delivery in the event outbox, which may have been deleted; null for a test. */
    deliveryId: uuid(),
    type: text().notNull(),
    status: webhookDeliveryStatus().notNull().default('wait'),
    attempts: integer().notNull().default(0),
    /** The status of the last attempt; null without an answer. */
    httpStatus: integer(),
    /** Milliseconds of the last attempt; null while it runs. */
    duration: integer(),
    /** Why the last try failed, or why nothing was sent: the code of an error. */
    fault: text(),
    /** The time of the next attempt. */
    nextAt: moment(),
    /** The sent body, and the beginning of the answer. */
    request: text().notNull(),
    response: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('webhook_deliveries_delivery').on(t.webhookId, t.deliveryId),
    index('webhook_deliveries_created').on(t.webhookId, t.createdAt, t.id),
    index('webhook_deliveries_updated').on(t.updatedAt),
    index('webhook_deliveries_waiting').on(t.webhookId).where(sql`${t.status} = 'wait'`),
  ],
)
