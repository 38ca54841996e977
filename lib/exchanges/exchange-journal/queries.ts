import { and, eq, getTableColumns, gte, inArray, lt, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { cursorPage, type Keys } from '@/db/cursor'
import { countRows, paged } from '@/db/list'
import { rowsById } from '@/db/rows'
import { integrationExchanges } from '@/db/schema/integration'
import { deleteInBatches } from '@/lib/base/postgres/batches'
import { dayBegins } from '@/lib/base/text/time-zone'
import type { ExchangeInput } from './contract'

/** Up to this number the list counts its total; above it shows "more than". */
const maxCounted = 1_000

type NewExchange = Pick<typeof integrationExchanges.$inferInsert, 'key' | 'runId' | 'method' | 'url' | 'request'>
type ExchangeEnd = Pick<
  typeof integrationExchanges.$inferSelect,
  'status' | 'httpStatus' | 'duration' | 'fault' | 'response'
>

/** Records a request that is about to be sent. Returns its id. */
export async function insertExchange(values: NewExchange): Promise<string> {
  const [row] = await db().insert(integrationExchanges).values(values).returning({ id: integrationExchanges.id })
  if (!row) throw new Error('no exchange was kept')
  return row.id
}

export const storeEnd = (id: string, values: ExchangeEnd) =>
  db().update(integrationExchanges).set(values).where(eq(integrationExchanges.id, id))

/** Marks requests as failed that were sent before `before` and have no answer: their process died. */
export async function endLost(before: Date, fault: string): Promise<void> {
  await db()
    .update(integrationExchanges)
    .set({ status: 'error', fault })
    .where(and(eq(integrationExchanges.status, 'wait'), lt(integrationExchanges.createdAt, before)))
}

const { request: _, response: __, ...columns } = getTableColumns(integrationExchanges)

/** Returns one page of the journal, without the messages. */
export const selectExchanges = (
  query: ExchangeInput,
  { timeZone, caller, pageSize }: { timeZone: string; caller: string; pageSize: number | null },
) =>
  cursorPage(
    query,
    pageSize,
    {
      list: 'integration-monitoring',
      caller,
      sorts: { updatedAt: integrationExchanges.updatedAt, createdAt: integrationExchanges.createdAt },
      tie: integrationExchanges.id,
      total: maxCounted,
      filters: {
        createdFrom: (day) => gte(integrationExchanges.createdAt, dayBegins(day, timeZone)),
        createdTo: (day) => lt(integrationExchanges.createdAt, dayBegins(day, timeZone, 1)),
        updatedFrom: (day) => gte(integrationExchanges.updatedAt, dayBegins(day, timeZone)),
        updatedTo: (day) => lt(integrationExchanges.updatedAt, dayBegins(day, timeZone, 1)),
        key: (keys) => inArray(integrationExchanges.key, keys),
        status: (statuses) => inArray(integrationExchanges.status, statuses),
        runId: (id) => eq(integrationExchanges.runId, id),
      },
    },
    {
      rows: ({ keys, ...parts }) =>
        paged(
          db()
            .select({
              ...columns,
              answered: sql<boolean>`${integrationExchanges.response} is not null`.as('answered'),
              keys: sql<Keys>`${keys}`.as('keys'),
            })
            .from(integrationExchanges)
            .$dynamic(),
          parts,
        ),
      count: (where, atMost) => countRows(integrationExchanges, where, atMost),
    },
  )

export const exchangeRows = rowsById(integrationExchanges)

/** Deletes journal entries that last changed before `before`, in small batches: each may have megabytes. */
export const deleteOldExchanges = (before: Date) =>
  deleteInBatches(integrationExchanges, integrationExchanges.updatedAt, lt(integrationExchanges.updatedAt, before), 100)
