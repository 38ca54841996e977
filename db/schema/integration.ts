import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, updatedAt } from './columns'
import { users } from './people'
import { syncPeriodAmount } from './providers'

export const integrationAuth = pgEnum('integration_auth', ['none', 'bearer', 'basic', 'header'])
export const integrationStatus = pgEnum('integration_status', ['wait', 'success', 'error'])

/** An exchange with another system over HTTP, and its period. The platform ships one row for each key. */
export const integrationSyncs = pgTable(
  'integration_syncs',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** The data that it exchanges, such as `users.export`. */
    key: text().notNull().unique('integration_syncs_key'),
    enabled: boolean().notNull().default(false),
    /** Empty until somebody configures it. */
    url: text().notNull().default(''),
    auth: integrationAuth().notNull().default('none'),
    /** The user of `basic`, the header of `header`. */
    authName: text().notNull().default(''),
    /** Encrypted by lib/base/crypto; null without one. */
    secret: text(),
    /** The number of the period, 0 for none, and its unit. */
    periodUnit: integer().notNull().default(0),
    periodAmount: syncPeriodAmount().notNull().default('hours'),
    /** The number of rows of a request. */
    pageSize: integer().notNull().default(100),
    /** The person who configured or started it last: its batch jobs act with the rights of this person. */
    actorId: uuid().references(() => users.id, { onDelete: 'set null' }),
    /**
     * The person or application that saved it last; null if that was an administrator, or an administrator has enabled
     * it since.
     */
    enteredBy: uuid(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('integration_syncs_actor').on(t.actorId)],
)

/** The journal: each request to another system, with its answer. Secrets are removed before anything is stored. */
export const integrationExchanges = pgTable(
  'integration_exchanges',
  {
    id: uuid().primaryKey().defaultRandom(),
    key: text().notNull(),
    status: integrationStatus().notNull().default('wait'),
    /** Its batch job, which may have been deleted; null for a check. */
    runId: uuid(),
    method: text().notNull(),
    url: text().notNull(),
    /** Null if no answer came. */
    httpStatus: integer(),
    /** Milliseconds; null while it runs. */
    duration: integer(),
    /** Why it failed: the code of an error. */
    fault: text(),
    /** The request and the answer as texts, each with at most 1 MiB. */
    request: text().notNull(),
    response: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('integration_exchanges_updated_at').on(t.updatedAt, t.id),
    index('integration_exchanges_created_at').on(t.createdAt, t.id),
    index('integration_exchanges_key').on(t.key, t.updatedAt, t.id),
    index('integration_exchanges_waiting').on(t.createdAt).where(sql`${t.status} = 'wait'`),
  ],
)
