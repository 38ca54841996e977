import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, moment, updatedAt } from './columns'
import { applications } from './platform'

export const checkStatus = pgEnum('check_status', ['up', 'down'])

/** The checks that run regularly: one row for each key, with its state. */
export const monitoringChecks = pgTable(
  'monitoring_checks',
  {
    id: uuid().primaryKey().defaultRandom(),
    key: text().notNull().unique('monitoring_checks_key'),
    kind: text().notNull(),
    applicationId: uuid().references((): AnyPgColumn => applications.id, { onDelete: 'cascade' }),
    /** The names of objects that people have named; empty for parts of the platform. */
    name: text().notNull().default(''),
    nameEn: text(),
    description: text().notNull().default(''),
    descriptionEn: text(),
    /** 1 low, 2 medium, 3 high. */
    critical: integer().notNull(),
    status: checkStatus().notNull().default('up'),
    /** False if there is nothing to check, such as no mail server: the status then has no meaning. */
    connected: boolean().notNull().default(true),
    /** The number of results in a row that contradict the status, and the time when the last of them was counted. */
    doubts: integer().notNull().default(0),
    countedAt: moment(),
    stuckCount: integer().notNull().default(0),
    checkedAt: moment(),
    /** Milliseconds of the last answer; null without one. */
    latency: integer(),
    errorAt: moment(),
    lastError: text(),
    changedAt: createdAt(),
    createdAt: createdAt(),
  },
  (t) => [index('monitoring_checks_application').on(t.applicationId)],
)

/** The results of half an hour of one check. */
export const monitoringSlots = pgTable(
  'monitoring_slots',
  {
    checkId: uuid()
      .notNull()
      .references(() => monitoringChecks.id, { onDelete: 'cascade' }),
    at: moment().notNull(),
    checks: integer().notNull(),
    failures: integer().notNull(),
    /** The number of checks that found something stuck. */
    stuck: integer().notNull(),
    /** Milliseconds of all answers, and of the slowest. */
    total: bigint({ mode: 'number' }).notNull(),
    worst: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.checkId, t.at] }), index('monitoring_slots_at').on(t.at)],
)

/** The only row, by which processes take turns in running the checks. */
export const monitoringTurns = pgTable(
  'monitoring_turns',
  {
    id: boolean().primaryKey().default(true),
    /** When the running or the last turn began, and when the last one ended. */
    startedAt: moment(),
    doneAt: moment(),
    /** When the next turn is due. */
    nextAt: moment().notNull().defaultNow(),
  },
  (t) => [check('monitoring_turns_one', sql`${t.id}`)],
)

/** The versions that were found of the platform's parts and of applications. */
export const foundVersions = pgTable(
  'found_versions',
  {
    /** A part of the platform, or the id of an application. */
    key: text().primaryKey(),
    applicationId: uuid().references((): AnyPgColumn => applications.id, { onDelete: 'cascade' }),
    version: text(),
    /** Why the last search found no version; the version is then from an earlier one. */
    error: text(),
    checkedAt: moment().notNull(),
  },
  (t) => [index('found_versions_application').on(t.applicationId)],
)

export const licenseState = pgEnum('license_state', ['valid', 'invalid', 'expired'])

/** The only license of the platform. */
export const licenses = pgTable(
  'licenses',
  {
    id: boolean().primaryKey().default(true),
    /** Encrypted. */
    key: text().notNull(),
    domain: text().notNull(),
    owner: text().notNull(),
    expiresAt: moment(),
    /** The largest number of simultaneous sessions; null for any number. */
    sessions: integer(),
    /** The result of the last check. */
    state: licenseState().notNull(),
    checkedAt: moment().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [check('licenses_one', sql`${t.id}`)],
)
