import { boolean, index, integer, jsonb, pgEnum, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, updatedAt } from './columns'
import { providers, users } from './people'

export const syncPeriodAmount = pgEnum('sync_period_amount', ['minutes', 'hours', 'days'])
export const providerMapperType = pgEnum('provider_mapper_type', ['users-base', 'users-access'])
export const providerMapperAbsent = pgEnum('provider_mapper_absent', ['keep', 'clear'])

/** The synchronization of a directory, and its period. Its batch jobs are in `runs`. */
export const providerSyncs = pgTable(
  'provider_syncs',
  {
    id: uuid().primaryKey().defaultRandom(),
    providerId: uuid()
      .notNull()
      .references(() => providers.id, { onDelete: 'cascade' }),
    type: text().notNull().default('users'),
    enabled: boolean().notNull().default(false),
    /** The number of the period, 0 for none, and its unit. */
    periodUnit: integer().notNull().default(0),
    periodAmount: syncPeriodAmount().notNull().default('hours'),
    /** The number of people on a page. */
    syncLimit: integer().notNull().default(50),
    /** The person who configured or started it last: scheduled batch jobs act with the rights of this person. */
    actorId: uuid().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [unique('provider_syncs_provider_type').on(t.providerId, t.type), index('provider_syncs_actor').on(t.actorId)],
)

/** One pair of a mapper: the value at the directory, and the value here. */
export type MapperAttribute = { id: string; attribute: string; value: string }

/** How a person's data at a directory becomes a field of the account, or roles. */
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
    /** The name of the attribute at the directory. */
    before: text().notNull().default(''),
    /** The code of the field here; for access, the kind of what is given. */
    after: text().notNull(),
    /** Whether `before` is an attribute that the provider's administrators added. */
    customAttributes: boolean().notNull().default(false),
    /** What happens to the field's value if the directory doesn't send this attribute. */
    absent: providerMapperAbsent().notNull().default('keep'),
    attributes: jsonb().$type<MapperAttribute[]>().notNull().default([]),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [unique('provider_mappers_name').on(t.syncId, t.name)],
)

/** An account at an identity provider with which a person signs in here, linked by the person. */
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
    /** The name of the account at the provider when it was linked. */
    name: text().notNull().default(''),
    createdAt: createdAt(),
  },
  (t) => [
    unique('provider_links_external').on(t.providerId, t.externalId),
    unique('provider_links_user').on(t.userId, t.providerId),
  ],
)

/** Calls to identity providers, without bodies, for finding out why a synchronization failed. */
export const providerCalls = pgTable(
  'provider_calls',
  {
    id: uuid().primaryKey().defaultRandom(),
    providerId: uuid()
      .notNull()
      .references(() => providers.id, { onDelete: 'cascade' }),
    at: moment().notNull(),
    method: text().notNull(),
    /** Without its query, which may contain data of people. */
    path: text().notNull(),
    /** Null if no answer came. */
    status: integer(),
    /** Milliseconds. */
    duration: integer().notNull(),
    fault: text(),
  },
  (t) => [index('provider_calls_provider').on(t.providerId, t.at, t.id), index('provider_calls_at').on(t.at)],
)
