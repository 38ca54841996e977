import { index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { moment } from './columns'
import { users } from './people'
import { documents } from './platform'

/** Who was reminded of a version of an agreement, so that nobody is twice unless somebody wants it. */
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
    /** How often, and when last. */
    times: integer().notNull().default(1),
    remindedAt: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.documentId, t.version, t.userId] }), index('agreement_reminders_user').on(t.userId)],
)
