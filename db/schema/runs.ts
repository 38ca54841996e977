import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgEnum, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, updatedAt } from './columns'
import { oidcClients } from './oidc'
import { users } from './people'

/** `stopped`: by a person, or by itself for the reason in `fault`; it can go on. */
export const runState = pgEnum('run_state', ['running', 'stopped', 'done'])
export const runRowState = pgEnum('run_row_state', ['waiting', 'done', 'failed'])

/** A batch job: long work that the worker does row by row, such as sending the invitations of a file. */
export const runs = pgTable(
  'runs',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** The kind of work: a name of lib/wiring/runs.ts. */
    kind: text().notNull(),
    /**
     * The person who started it; only they see it. Null if a client started it, or if it belongs to an object of the
     * platform.
     */
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    /** The client whose token started it; only calls of this client see it. */
    clientId: text().references(() => oidcClients.clientId, { onDelete: 'cascade' }),
    /**
     * The id of the object that it belongs to, such as a synchronization; a person who may read that object sees it.
     */
    subject: text(),
    state: runState().notNull().default('running'),
    /** The options of the kind, for every row. */
    options: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The number of rows, and how many of them are done or failed. */
    total: integer().notNull(),
    done: integer().notNull(),
    failed: integer().notNull(),
    /** The seconds of work until it was last stopped, and the time since which it has been working now. */
    worked: integer().notNull().default(0),
    resumedAt: moment().notNull().defaultNow(),
    /** Why it stopped by itself: the code of an error. */
    fault: text(),
    createdAt: createdAt(),
    finishedAt: moment(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // no index on updatedAt: the counts change with each row, which is cheap as long as no index has a changed column
    index('runs_created').on(t.createdAt),
    /** Batch jobs that are being deleted. */
    index('runs_removed').on(t.id).where(sql`${t.kind} = 'removed'`),
    index('runs_user').on(t.userId, t.kind, t.createdAt, t.id),
    /** A person has one batch job of a kind at a time. */
    uniqueIndex('runs_running').on(t.userId, t.kind).where(sql`${t.state} = 'running'`),
    index('runs_client').on(t.clientId, t.kind, t.createdAt, t.id),
    /** A client too. */
    uniqueIndex('runs_client_running').on(t.clientId, t.kind).where(sql`${t.state} = 'running'`),
    index('runs_subject').on(t.subject, t.kind, t.createdAt, t.id),
    /** An object too. */
    uniqueIndex('runs_subject_running').on(t.subject, t.kind).where(sql`${t.state} = 'running'`),
  ],
)

/** The rows of a batch job, by their numbers in the file. The result of each row is stored, so that it is done once. */
export const runRows = pgTable(
  'run_rows',
  {
    runId: uuid()
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    row: integer().notNull(),
    state: runRowState().notNull().default('waiting'),
    /** The text by which people recognize it. */
    title: text().notNull(),
    /** The input of the kind's function, with the original cells. */
    input: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Why it failed: the code of an error, and values for its text. */
    fault: text(),
    params: jsonb().$type<Record<string, string | number>>(),
    /** The number of attempts that ended with an unexpected error. */
    tries: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.row] }),
    index('run_rows_waiting').on(t.runId, t.row).where(sql`${t.state} = 'waiting'`),
    index('run_rows_failed').on(t.runId, t.row).where(sql`${t.state} = 'failed'`),
    // rows that are done with something left out
    index('run_rows_noted')
      .on(t.runId, t.row)
      .where(sql`${t.state} = 'done' and coalesce(${t.input} -> 'notes', '[]') <> '[]'`),
    // each page of a directory asks which of its people the batch job has met
    index('run_rows_external_id').on(t.runId, sql`(${t.input} ->> 'externalId')`),
  ],
)
