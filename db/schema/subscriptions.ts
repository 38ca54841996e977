import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { jsonb, updatedAt } from './columns'
import { users } from './people'

type Choices = Record<string, { period?: string | undefined; channels?: Record<string, boolean> | undefined }>

/** What a person has chosen to be told of, by which channels and how often. No row: as at the beginning. */
export const subscriptions = pgTable('subscriptions', {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  choices: jsonb().$type<Choices>().notNull().default({}),
  updatedAt: updatedAt(),
})

/** The ways in which the platform tells people of what they have subscribed to; an administrator may switch each off. */
export const notifyMethods = pgTable('notify_methods', {
  /** The id of a channel: email, sms, local. */
  id: text().primaryKey(),
  enabled: boolean().notNull().default(true),
  updatedAt: updatedAt(),
})
