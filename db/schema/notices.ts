import { sql } from 'drizzle-orm'
import { index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { jsonb, moment } from './columns'
import { users } from './people'

/** What a person was told on the platform itself: one row for each event that concerns them. */
export const notices = pgTable(
  'notices',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Names its text and where it leads. */
    kind: text().notNull(),
    /** The values of its text. */
    values: jsonb().$type<Record<string, string | number>>().notNull(),
    /** The event that it tells of: an event delivered twice writes one notice. */
    cause: text().notNull(),
    date: moment().notNull(),
    readAt: moment(),
  },
  (t) => [
    unique('notices_cause').on(t.userId, t.cause),
    index('notices_user').on(t.userId, t.date, t.id),
    index('notices_unread').on(t.userId, t.date).where(sql`${t.readAt} is null`),
    index('notices_date').on(t.date),
    // to take back news
    index('notices_of_news').on(t.cause).where(sql`${t.kind} = 'news'`),
  ],
)
