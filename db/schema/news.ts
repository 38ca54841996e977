import { index, integer, pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, updatedAt } from './columns'
import { locales } from './platform'

export const newsStatus = pgEnum('news_status', ['draft', 'published', 'withdrawn'])
export const newsAudience = pgEnum('news_audience', ['all', 'role', 'contractor', 'organization', 'domain'])

/** News from administrators to people (docs/rules/profile.md#news). */
export const news = pgTable('news', {
  id: uuid().primaryKey().defaultRandom(),
  status: newsStatus().notNull().default('draft'),
  audience: newsAudience().notNull().default('all'),
  /** The role, contractor, organization or domain whose people are the audience; null for everybody. */
  audienceId: uuid(),
  publishedAt: moment(),
  /** People are notified in the order of their ids; this is the last one so far. */
  toldUpTo: uuid(),
  /** When the last person was notified; null before. */
  toldAt: moment(),
  /** The number of people who got a notification or a mail, and how many of them got a mail. */
  reached: integer().notNull().default(0),
  mailed: integer().notNull().default(0),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export const newsLocales = pgTable(
  'news_locales',
  {
    newsId: uuid()
      .notNull()
      .references(() => news.id, { onDelete: 'cascade' }),
    localeId: uuid()
      .notNull()
      .references(() => locales.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    text: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.newsId, t.localeId] }), index('news_locales_locale').on(t.localeId)],
)
