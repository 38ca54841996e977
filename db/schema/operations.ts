import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, jsonb, moment } from './columns'
import { users } from './people'

export const historyType = pgEnum('history_type', ['create', 'update', 'delete', 'login'])
export const messageKind = pgEnum('message_kind', ['email', 'sms'])
export const messageStatus = pgEnum('message_status', ['queued', 'sent', 'failed', 'dropped'])

/** One row for each changed field. The application's database role may insert and read rows, never change them. */
export const history = pgTable(
  'history',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    date: moment().notNull().defaultNow(),
    type: historyType().notNull(),
    entity: text().notNull(),
    entityId: text().notNull(),
    /** The field's block, for dynamic fields. */
    subtype: text(),
    field: text(),
    /** The recorded values, with secrets as ***. */
    previous: jsonb(),
    current: jsonb(),
    ip: text(),
    /** No foreign key: the row stays after the account is deleted. */
    changerId: uuid(),
    requestId: text(),
  },
  (t) => [
    index('history_date').on(t.date, t.id),
    // not descending: `desc()` sorts null last, which no query does, and an index serves both directions
    index('history_object').on(t.entity, t.entityId, t.id),
    /** The acts of one person on one object. */
    index('history_object_changer').on(t.entity, t.entityId, t.changerId, t.id),
    index('history_changer').on(t.changerId, t.date, t.id),
    /** The whole history by kind of object, or by address; `history_changer` serves the filter by changer. */
    index('history_entity').on(t.entity, t.date, t.id),
    index('history_ip').on(t.ip, t.date, t.id),
    index('history_field').on(t.field).where(sql`${t.field} is not null`),
    /** Without the acts that are most of the history. */
    index('history_rare_type').on(t.type, t.date, t.id).where(sql`${t.type} not in ('update', 'login')`),
  ],
)

/**
 * Requests that the address lists refused, by hour: how many addresses are in the history, how many requests came from
 * further addresses, and whether these have their row there too.
 */
export const addressRefusals = pgTable('address_refusals', {
  hour: moment().primaryKey(),
  noted: integer().notNull().default(0),
  others: bigint({ mode: 'number' }).notNull().default(0),
  told: boolean().notNull().default(false),
})

/** Identifies a row of daily_counters, and a second one if the message counts there too. */
export type MessageCounter = { kind: string; key: string; day: string; also?: MessageCounter }

/** Every mail and SMS with its result. Its text is encrypted, because it may contain codes and links. */
export const messages = pgTable(
  'messages',
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: messageKind().notNull(),
    template: text().notNull(),
    recipient: text().notNull(),
    userId: uuid().references(() => users.id, { onDelete: 'set null' }),
    locale: text().notNull(),
    /** Encrypted JSON of its text; deleted after some time. */
    content: text().notNull(),
    /** The count of the message, which is undone if the message is never sent. */
    counter: jsonb().$type<MessageCounter>(),
    status: messageStatus().notNull().default('queued'),
    attempts: integer().notNull().default(0),
    error: text(),
    /** After this time the message is dropped. */
    expiresAt: moment(),
    createdAt: createdAt(),
    finishedAt: moment(),
  },
  (t) => [
    index('messages_created').on(t.createdAt.desc()),
    index('messages_status_created').on(t.status, t.createdAt),
    /** Messages whose text is still stored. */
    index('messages_content').on(t.createdAt).where(sql`${t.content} <> ''`),
    index('messages_user').on(t.userId),
  ],
)

export const digestPeriod = pgEnum('digest_period', ['daily', 'weekly'])

/** The items of a person's next digest, in their language; deleted once the digest is written. */
export const digestItems = pgTable(
  'digest_items',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    period: digestPeriod().notNull(),
    /** The domain of the event. */
    host: text().notNull(),
    title: text().notNull(),
    text: text().notNull().default(''),
    /** Encrypted, because it may contain links that give access. */
    link: text().notNull().default(''),
    date: moment().notNull(),
    /** The cause of the item; the next item of the same cause replaces it. */
    cause: text(),
    /** After this time it isn't sent. */
    expiresAt: moment(),
  },
  (t) => [
    index('digest_items_user').on(t.userId, t.period, t.date),
    unique('digest_items_cause').on(t.userId, t.cause),
    index('digest_items_of_cause').on(t.cause),
  ],
)

/** One row for each sent digest, so that nobody gets two for the same period. */
export const digests = pgTable(
  'digests',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    period: digestPeriod().notNull(),
    /** The end of the period. */
    dueAt: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.period, t.dueAt] }), index('digests_due').on(t.dueAt)],
)

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    caller: text().notNull(),
    key: text().notNull(),
    /** Digest of method, path and body: the same key with another request is refused. */
    request: text().notNull(),
    status: integer(),
    /** The encrypted answer. */
    answer: text(),
    /** When the call committed something; a call whose process died after that isn't repeated. */
    committedAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.caller, t.key] }), index('idempotency_keys_created').on(t.createdAt)],
)

/** Keys of SECRET_KEYS with which processes have started, by name, and whether stored data may still need them. */
export const sealingKeys = pgTable('sealing_keys', {
  /** Identifies the key without revealing it. */
  id: text().primaryKey(),
  /** By purpose, the prefix of the values that it encrypted. */
  marks: jsonb().$type<Record<string, string>>().notNull(),
  createdAt: createdAt(),
  /** The last heartbeat of a process that encrypts with it. */
  sealedAt: moment(),
  /** The time from which no stored data has needed it. */
  clearedAt: moment(),
})

/** Keys that don't depend on SECRET_KEYS: their hashes stay the same when SECRET_KEYS is exchanged. */
export const lastingKeys = pgTable('lasting_keys', {
  purpose: text().primaryKey(),
  /** Encrypted under the purpose. */
  key: text().notNull(),
  createdAt: createdAt(),
})

export const deliveryState = pgEnum('delivery_state', ['waiting', 'delivered', 'dead', 'skipped'])

/** Events, stored in the transaction of their cause. The ids grow in the order of commits for one object. */
export const outboxEvents = pgTable(
  'outbox_events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The topic of handlers: the entity of a recorded change, or the name of a domain event. */
    topic: text().notNull(),
    /** Of a recorded change: create, update or delete. */
    type: text(),
    /** The object: its events are delivered in their order. */
    entity: text().notNull(),
    entityId: text().notNull(),
    /** The changes of a recorded change, secrets as ***; the data of a domain event. */
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    /** No foreign key: the row stays after the account is deleted. */
    changerId: uuid(),
    requestId: text().notNull(),
    date: moment().notNull(),
  },
  (t) => [index('outbox_events_date').on(t.date)],
)

/** One row for each handler that listens to an event. */
export const outboxDeliveries = pgTable(
  'outbox_deliveries',
  {
    id: uuid().primaryKey().defaultRandom(),
    eventId: bigint({ mode: 'number' })
      .notNull()
      .references(() => outboxEvents.id, { onDelete: 'cascade' }),
    /** The handler's stable name. */
    handler: text().notNull(),
    /** As in the event: with the handler they identify the delivery queue. */
    entity: text().notNull(),
    entityId: text().notNull(),
    state: deliveryState().notNull().default('waiting'),
    /** Counted when an attempt starts, so that an attempt during which the process dies counts too. */
    attempts: integer().notNull().default(0),
    /** The delivery isn't tried before this time. */
    tryAt: moment().notNull().defaultNow(),
    /** The error of the last attempt, without values that people entered. */
    error: text(),
    createdAt: createdAt(),
    /** When it was delivered, dead or skipped. */
    finishedAt: moment(),
  },
  (t) => [
    uniqueIndex('outbox_deliveries_event').on(t.eventId, t.handler),
    index('outbox_deliveries_open')
      .on(t.handler, t.entity, t.entityId, t.eventId)
      .where(sql`${t.state} in ('waiting', 'dead')`),
    index('outbox_deliveries_finished').on(t.finishedAt),
  ],
)

/** The state of each step of housekeeping, for metrics and for another attempt after a failure. */
export const housekeepingSteps = pgTable('housekeeping_steps', {
  name: text().primaryKey(),
  doneAt: moment(),
  failures: bigint({ mode: 'number' }).notNull().default(0),
  failedAt: moment(),
})
