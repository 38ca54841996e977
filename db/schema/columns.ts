import { sql } from 'drizzle-orm'
import { customType, timestamp } from 'drizzle-orm/pg-core'

/** A point in time. `name` is its name in PostgreSQL, if that differs. */
export const moment = (name = '') => timestamp(name, { withTimezone: true, mode: 'date' })

/** The time at which the row was created. */
export const createdAt = () => moment().notNull().defaultNow()

/**
 * The time of the row's last write, for every table whose rows a screen edits. No two writes of a row have the same
 * value in milliseconds, which forms send back. PostgreSQL sets it at each update (db/migrate/versions.ts).
 */
export const updatedAt = () => moment().notNull().default(sql`date_trunc('milliseconds', now())`)

/**
 * Gives a row a new version and changes nothing else. Use it if only rows of another table that belong to it changed.
 */
export const newVersion = { updatedAt: sql<Date>`now()` }

/**
 * JSON as it was stored. Drizzle's own `jsonb` parses a text once more: the text "0" would come back as the number 0.
 */
export const jsonb = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(value),
})
