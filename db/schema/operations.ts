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
    /** Sealed JSON: subject, html, text. */
    content: text().notNull(),
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
