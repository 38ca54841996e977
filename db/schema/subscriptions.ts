import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { jsonb, updatedAt } from './columns'
import { users } from './people'

type Choices = Record<string, { period?: string | undefined; channels?: Record<string, boolean> | undefined }>

/** The subscriptions that a person has chosen, with channels and periods. Without a row, the defaults apply. */
export const subscriptions = pgTable('subscriptions', {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  choices: jsonb().$type<Choices>().notNull().default({}),
  updatedAt: updatedAt(),
})

/** The channels by which the platform informs people of their subscriptions; an administrator may switch each off. */
export const notifyMethods = pgTable('notify_methods', {
  /** The id of a channel: email, sms, local. */
  id: text().primaryKey(),
  enabled: boolean().notNull().default(true),
  updatedAt: updatedAt(),
})
