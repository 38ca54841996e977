import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgEnum, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, jsonb, moment, updatedAt } from './columns'
import { applications } from './platform'

export const webhookDisabledReason = pgEnum('webhook_disabled_reason', ['gone', 'failed'])
export const webhookDeliveryStatus = pgEnum('webhook_delivery_status', ['wait', 'success', 'failure', 'dropped'])

/** `sealed` is bound to the id of the webhook. */
export type WebhookSecret = { sealed: string; createdAt: string; expiresAt: string | null }

/** Where an application hears of changes, and of which. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid().primaryKey().defaultRandom(),
    applicationId: uuid()
      .notNull()
      .references(() => applications.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    url: text().notNull(),
    /** What it hears, such as `user.created`. */
    types: text().array().notNull(),
    enabled: boolean().notNull().default(true),
    /** Why the platform disabled it; null if a person did. */
    disabledReason: webhookDisabledReason(),
    /** The newest first; the previous one for as long as it is valid. */
    secrets: jsonb().$type<WebhookSecret[]>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('webhooks_application').on(t.applicationId)],
)

/** How sending to a webhook goes. It changes often, so it stands apart from what people edit. */
export const webhookStates = pgTable('webhook_states', {
  webhookId: uuid()
    .primaryKey()
    .references(() => webhooks.id, { onDelete: 'cascade' }),
  /** Failed tries in a row. */
  failures: integer().notNull().default(0),
  /** When the first of them was. */
  failingSince: moment(),
  /** Until then nothing is tried. */
  heldUntil: moment(),
})

/** The log: each message with how its sending went. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey().defaultRandom(),
    webhookId: uuid()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** The delivery in the outbox, which may be gone already; null for a test. */
    deliveryId: uuid(),
    type: text().notNull(),
    status: webhookDeliveryStatus().notNull().default('wait'),
    attempts: integer().notNull().default(0),
    /** Of the last try; null if no answer came. */
    httpStatus: integer(),
    /** Milliseconds of the last try; null while it runs. */
    duration: integer(),
    /** Why the last try failed, or why nothing was sent: the code of an error. */
    fault: text(),
    /** When it is tried again. */
    nextAt: moment(),
    /** What was sent, and the beginning of what was answered. */
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
