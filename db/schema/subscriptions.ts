import { pgTable, uuid } from 'drizzle-orm/pg-core'
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
