import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from './columns'

/** Successful and refused sign-ins, for administrators; stored for the time of the setting `interactionRetention`. */
export const signInLog = pgTable(
  'sign_in_log',
  {
    id: uuid().primaryKey().defaultRandom(),
    at: moment().notNull(),
    /** No foreign key: its check would take longer for an account than for an unknown identifier. */
    userId: uuid(),
    /** The kind of the entered identifier; null for a session that follows a registration or an invitation. */
    idAttribute: text(),
    /** Keyed hash of an identifier without an account; the entered text isn't stored. */
    digest: text(),
    /** The part that an administrator may see, such as `i•••@p•••.ru`. */
    mask: text(),
    /** The flow that failed; after a success the proven flows, in order. */
    flows: text().array().notNull(),
    /** Why it failed; null for a success. */
    cause: text(),
    /** The error of an identity provider, or the fault of its answer: one line, without data of people. */
    reason: text(),
    /** The identity provider of the sign-in. */
    providerId: uuid(),
    /** The application to which the person was going. */
    applicationId: uuid(),
    ip: text().notNull(),
    browser: text().notNull(),
    system: text().notNull(),
    deviceType: text().notNull(),
  },
  (t) => [
    index('sign_in_log_at').on(t.at, t.id),
    index('sign_in_log_user').on(t.userId, t.at, t.id),
    index('sign_in_log_digest').on(t.digest, t.at, t.id),
    index('sign_in_log_ip').on(t.ip, t.at, t.id),
    /** What is rare is found by an index, what is frequent in the order of the list. */
    index('sign_in_log_cause').on(t.cause, t.at, t.id).where(sql`${t.cause} is not null`),
    index('sign_in_log_provider').on(t.providerId, t.at, t.id).where(sql`${t.providerId} is not null`),
    index('sign_in_log_flows').using('gin', t.flows).with({ fastupdate: false }),
  ],
)
