import { sql } from 'drizzle-orm'
import { index, pgEnum, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, updatedAt } from './columns'
import { contractors, roles, users } from './people'
import { domains } from './platform'

export const accessRequestStatus = pgEnum('access_request_status', [
  'considered',
  'approved',
  'failure',
  'duplicate',
  'remove',
])

/** A person asks to work for a company, which may not be a contractor yet. */
export const accessRequests = pgTable(
  'access_requests',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: accessRequestStatus().notNull().default('considered'),
    /** The company as the person wrote it. */
    name: text().notNull(),
    inn: text().notNull(),
    kpp: text(),
    /** The reason of a refusal. */
    reason: text().notNull().default(''),
    /** The contractor that the person got access to. */
    contractorId: uuid().references(() => contractors.id, { onDelete: 'set null' }),
    deciderId: uuid().references(() => users.id, { onDelete: 'set null' }),
    /** The domain on which it was made: mails about it lead there. */
    domainId: uuid().references(() => domains.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    /** The time of the decision or of the withdrawal. */
    finishedAt: moment(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('access_requests_considered')
      .on(t.userId, t.inn, sql`coalesce(${t.kpp}, '')`)
      .where(sql`${t.status} = 'considered'`),
    index('access_requests_user').on(t.userId, t.createdAt, t.id),
    index('access_requests_inn').on(t.inn, t.createdAt, t.id),
    index('access_requests_created_at').on(t.createdAt, t.id),
    // the order of the list for those who decide: requests without a decision come first
    index('access_requests_waiting_first').on(sql`(${t.status} = 'considered')`, t.createdAt, t.id),
    index('access_requests_open').on(t.createdAt, t.id).where(sql`${t.status} = 'considered'`),
    index('access_requests_finished_at').on(t.finishedAt, t.id),
    index('access_requests_name').on(t.name, t.id),
    index('access_requests_search').using(
      'gin',
      sql`search_form(${t.name}) gin_trgm_ops`,
      sql`search_form(${t.inn}) gin_trgm_ops`,
    ),
    index('access_requests_contractor').on(t.contractorId),
    index('access_requests_decider').on(t.deciderId),
    index('access_requests_domain').on(t.domainId),
  ],
)

/** The roles that the person asked for. */
export const accessRequestRoles = pgTable(
  'access_request_roles',
  {
    requestId: uuid()
      .notNull()
      .references(() => accessRequests.id, { onDelete: 'cascade' }),
    roleId: uuid()
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.requestId, t.roleId] }), index('access_request_roles_role').on(t.roleId)],
)
