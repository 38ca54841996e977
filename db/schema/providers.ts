import { boolean, index, integer, jsonb, pgEnum, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, updatedAt } from './columns'
import { providers, users } from './people'

export const syncPeriodAmount = pgEnum('sync_period_amount', ['minutes', 'hours', 'days'])
export const providerMapperType = pgEnum('provider_mapper_type', ['users-base', 'users-access'])
export const providerMapperAbsent = pgEnum('provider_mapper_absent', ['keep', 'clear'])

/** What is synchronized from a provider, and how often. Its runs are in `runs`. */
export const providerSyncs = pgTable(
  'provider_syncs',
  {
    id: uuid().primaryKey().defaultRandom(),
    providerId: uuid()
      .notNull()
      .references(() => providers.id, { onDelete: 'cascade' }),
    type: text().notNull().default('users'),
    enabled: boolean().notNull().default(false),
    /** The number of the period, 0 for none, and its word. */
    periodUnit: integer().notNull().default(0),
    periodAmount: syncPeriodAmount().notNull().default('hours'),
    /** How many people a page has. */
    syncLimit: integer().notNull().default(50),
    /** Who configured or started it last: scheduled runs act with the rights of this person. */
    actorId: uuid().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [unique('provider_syncs_provider_type').on(t.providerId, t.type), index('provider_syncs_actor').on(t.actorId)],
)

/** One pair of a mapper: what the provider has, and what it becomes here. */
export type MapperAttribute = { id: string; attribute: string; value: string }

/** How what a provider knows of a person becomes a field of the account, or roles. */
export const providerMappers = pgTable(
  'provider_mappers',
  {
    id: uuid().primaryKey().defaultRandom(),
    syncId: uuid()
      .notNull()
      .references(() => providerSyncs.id, { onDelete: 'cascade' }),
    type: providerMapperType().notNull(),
    enabled: boolean().notNull().default(true),
    name: text().notNull(),
    /** What it is called at the provider. */
    before: text().notNull().default(''),
    /** The code of the field here; of access what is given. */
    after: text().notNull(),
    /** Whether `before` is an attribute that the provider's administrators added. */
    customAttributes: boolean().notNull().default(false),
    /** What becomes of the field's value when the provider doesn't send this. */
    absent: providerMapperAbsent().notNull().default('keep'),
    attributes: jsonb().$type<MapperAttribute[]>().notNull().default([]),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [unique('provider_mappers_name').on(t.syncId, t.name)],
)

/** An account of a provider with which somebody signs in to their account here, linked by themselves. */
export const providerLinks = pgTable(
  'provider_links',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    providerId: uuid()
      .notNull()
      .references(() => providers.id, { onDelete: 'cascade' }),
    externalId: text().notNull(),
    /** How the provider named the account when it was linked. */
    name: text().notNull().default(''),
    createdAt: createdAt(),
  },
  (t) => [
    unique('provider_links_external').on(t.providerId, t.externalId),
    unique('provider_links_user').on(t.userId, t.providerId),
  ],
)

/** Calls to providers, without bodies: for whoever looks why a synchronization failed. */
export const providerCalls = pgTable(
  'provider_calls',
  {
    id: uuid().primaryKey().defaultRandom(),
    providerId: uuid()
      .notNull()
      .references(() => providers.id, { onDelete: 'cascade' }),
    at: moment().notNull(),
    method: text().notNull(),
    /** Without its query: it may name people. */
    path: text().notNull(),
    /** Null if no answer came. */
    status: integer(),
    /** Milliseconds. */
    duration: integer().notNull(),
    fault: text(),
  },
  (t) => [index('provider_calls_provider').on(t.providerId, t.at, t.id), index('provider_calls_at').on(t.at)],
)
