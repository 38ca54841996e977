import { index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { moment } from './columns'
import { users } from './people'
import { documents } from './platform'

/** The people who were reminded of a version of an agreement, so that a second reminder needs an explicit `repeat`. */
export const agreementReminders = pgTable(
  'agreement_reminders',
  {
    documentId: uuid()
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The number of reminders, and the time of the last. */
    times: integer().notNull().default(1),
    remindedAt: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.documentId, t.version, t.userId] }), index('agreement_reminders_user').on(t.userId)],
)
