import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgEnum, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, updatedAt } from './columns'
import { oidcClients } from './oidc'
import { users } from './people'

/** `stopped`: by a person, or by itself for the reason in `fault`; it can go on. */
export const runState = pgEnum('run_state', ['running', 'stopped', 'done'])
export const runRowState = pgEnum('run_row_state', ['waiting', 'done', 'failed'])

/** A long piece of work that the worker does row by row, such as sending the invitations of a file. */
export const runs = pgTable(
  'runs',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** What is done with each row: a name of lib/wiring/runs.ts. */
    kind: text().notNull(),
    /** Who started it; only they see it. Null for one that a client started, or that belongs to a thing of the platform. */
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    /** The client whose token started it; only calls of this client see it. */
    clientId: text().references(() => oidcClients.clientId, { onDelete: 'cascade' }),
    /** The id of the thing that it belongs to, such as a synchronization; whoever may read that sees it. */
    subject: text(),
    state: runState().notNull().default('running'),
    /** What its kind needs for every row. */
    options: jsonb().$type<Record<string, unknown>>().notNull(),
    /** How many rows there are, and how many of them are done or failed. */
    total: integer().notNull(),
    done: integer().notNull(),
    failed: integer().notNull(),
    /** How many seconds it had worked when it was stopped last, and since when it works now. */
    worked: integer().notNull().default(0),
    resumedAt: moment().notNull().defaultNow(),
    /** Why it stopped by itself: the code of an error. */
    fault: text(),
    createdAt: createdAt(),
    finishedAt: moment(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // none on updatedAt: the counts change with each row, which stays cheap while no index has a changed column
    index('runs_created').on(t.createdAt),
    /** Those that are being deleted. */
    index('runs_removed').on(t.id).where(sql`${t.kind} = 'removed'`),
    index('runs_user').on(t.userId, t.kind, t.createdAt, t.id),
    /** A person has one run of a kind at a time. */
    uniqueIndex('runs_running').on(t.userId, t.kind).where(sql`${t.state} = 'running'`),
    index('runs_client').on(t.clientId, t.kind, t.createdAt, t.id),
    /** So has a client. */
    uniqueIndex('runs_client_running').on(t.clientId, t.kind).where(sql`${t.state} = 'running'`),
    index('runs_subject').on(t.subject, t.kind, t.createdAt, t.id),
    /** So has a thing. */
    uniqueIndex('runs_subject_running').on(t.subject, t.kind).where(sql`${t.state} = 'running'`),
  ],
)

/** The rows of a run, under their numbers in the file. What was done stays, so that it is done once. */
export const runRows = pgTable(
  'run_rows',
  {
    runId: uuid()
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    row: integer().notNull(),
    state: runRowState().notNull().default('waiting'),
    /** How people recognize it. */
    title: text().notNull(),
    /** What its kind needs to do it, and the cells as they were. */
    input: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Why it failed: the code of an error, and values for its text. */
    fault: text(),
    params: jsonb().$type<Record<string, string | number>>(),
    /** How often it ended with an error that nobody expected. */
    tries: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.row] }),
    index('run_rows_waiting').on(t.runId, t.row).where(sql`${t.state} = 'waiting'`),
    index('run_rows_failed').on(t.runId, t.row).where(sql`${t.state} = 'failed'`),
    // those that were done and leave something out
    index('run_rows_noted')
      .on(t.runId, t.row)
      .where(sql`${t.state} = 'done' and coalesce(${t.input} -> 'notes', '[]') <> '[]'`),
    // each page of a directory asks which of its people a run has met
    index('run_rows_external_id').on(t.runId, sql`(${t.input} ->> 'externalId')`),
  ],
)
