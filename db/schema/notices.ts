import { sql } from 'drizzle-orm'
import { index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { jsonb, moment } from './columns'
import { users } from './people'

/** Notifications of a person: one row for each event that concerns them. */
export const notices = pgTable(
  'notices',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The kind determines its text and its link. */
    kind: text().notNull(),
    /** The values of its text. */
    values: jsonb().$type<Record<string, string | number>>().notNull(),
    /** The event that caused it: an event that is delivered twice writes one notification. */
    cause: text().notNull(),
    date: moment().notNull(),
    readAt: moment(),
  },
  (t) => [
    unique('notices_cause').on(t.userId, t.cause),
    index('notices_user').on(t.userId, t.date, t.id),
    index('notices_unread').on(t.userId, t.date).where(sql`${t.readAt} is null`),
    index('notices_date').on(t.date),
    // for withdrawing news
    index('notices_of_news').on(t.cause).where(sql`${t.kind} = 'news'`),
  ],
)
