import { sql } from 'drizzle-orm'
import { timestamp } from 'drizzle-orm/pg-core'

/** A point in time, under another name in PostgreSQL if told. */
export const moment = (name = '') => timestamp(name, { withTimezone: true, mode: 'date' })

/** When the row was made. */
export const createdAt = () => moment().notNull().defaultNow()

/**
 * When the row was last written, for every table whose rows a screen edits: no two writes of a row have the same, to
 * the millisecond that a form sends back. PostgreSQL sets it itself at each update (db/migrate/versions.ts).
 */
export const updatedAt = () => moment().notNull().default(sql`date_trunc('milliseconds', now())`)

/** What to set where only rows of another table changed that belong to this one: a new version, and nothing else. */
export const newVersion = { updatedAt: sql<Date>`now()` }
