import { bigint, index, integer, jsonb, pgEnum, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from './people'

const now = () => timestamp({ withTimezone: true, mode: 'date' })

export const historyType = pgEnum('history_type', ['create', 'update', 'delete', 'login'])
export const messageKind = pgEnum('message_kind', ['email', 'sms'])
export const messageStatus = pgEnum('message_status', ['queued', 'sent', 'failed', 'dropped'])

/** One row a changed field. The application's database role may add and read rows, never change them. */
export const history = pgTable(
  'history',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    date: now().notNull().defaultNow(),
    type: historyType().notNull(),
    entity: text().notNull(),
    entityId: text().notNull(),
    /** The field's block, for dynamic fields. */
    subtype: text(),
    field: text(),
    /** Values as they were, secrets as ***. */
    previous: jsonb(),
    current: jsonb(),
    ip: text(),
    /** No reference: the row outlives the account. */
    changerId: uuid(),
    requestId: text(),
  },
  (t) => [
    index('history_date').on(t.date.desc(), t.id.desc()),
    index('history_entity').on(t.entity, t.entityId, t.id.desc()),
    index('history_changer').on(t.changerId, t.id.desc()),
  ],
)

/** Names a row of daily_counters. */
export type MessageCounter = { kind: string; key: string; day: string }

/** Every mail and SMS with its outcome. What it says is sealed: it may hold codes and links. */
export const messages = pgTable(
  'messages',
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: messageKind().notNull(),
    template: text().notNull(),
    recipient: text().notNull(),
    userId: uuid().references(() => users.id, { onDelete: 'set null' }),
    locale: text().notNull(),
    /** Sealed JSON of what it says; empty once it is too old to matter. */
    content: text().notNull(),
    /** Where the sending was counted: given back if the message never leaves. */
    counter: jsonb().$type<MessageCounter>(),
    status: messageStatus().notNull().default('queued'),
    attempts: integer().notNull().default(0),
    error: text(),
    /** After this the message is dropped instead of sent. */
    expiresAt: now(),
    createdAt: now().notNull().defaultNow(),
    finishedAt: now(),
  },
  (t) => [index('messages_created').on(t.createdAt.desc()), index('messages_status').on(t.status)],
)

export const digestPeriod = pgEnum('digest_period', ['daily', 'weekly'])

/** What waits for a person's next digest, in their language; gone once that is written. */
export const digestItems = pgTable(
  'digest_items',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    period: digestPeriod().notNull(),
    /** Of the domain that it came from. */
    host: text().notNull(),
    title: text().notNull(),
    text: text().notNull().default(''),
    link: text().notNull().default(''),
    date: now().notNull(),
  },
  (t) => [index('digest_items_user').on(t.userId, t.period, t.date)],
)

/** One row a digest that went out, so that nobody gets two for the same period. */
export const digests = pgTable(
  'digests',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    period: digestPeriod().notNull(),
    /** The moment the period ended. */
    dueAt: now().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.period, t.dueAt] })],
)

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    caller: text().notNull(),
    key: text().notNull(),
    /** Digest of method, path and body: the same key with another request is refused. */
    request: text().notNull(),
    status: integer(),
    /** Sealed answer. */
    answer: text(),
    createdAt: now().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.caller, t.key] }), index('idempotency_keys_created').on(t.createdAt)],
)
