import { and, desc, eq, inArray, lt, ne, type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'

/** How many rows one statement handles at most, so that it ends in time however many rows have accumulated. */
const batchSize = 2_000

/** Runs `work` on the ids of all messages that fulfil a condition, in batches. */
async function inIdBatches(condition: SQL | undefined, work: (ids: string[]) => Promise<unknown>) {
  for (;;) {
    const rows = await db()
      .select({ id: messages.id })
      .from(messages)
      .where(condition)
      .orderBy(desc(messages.createdAt))
      .limit(batchSize)
    if (rows.length > 0) await work(rows.map(({ id }) => id))
    if (rows.length < batchSize) return
  }
}

/** Tries end after little more than a day: a message that is still queued after two days has lost its job. */
const isLost = and(eq(messages.status, 'queued'), lt(messages.createdAt, sql`now() - interval '2 days'`))

/** Deletes the content of messages after 30 days and their rows after a year. Marks lost messages as failed. */
export async function tidyMessages() {
  await inIdBatches(isLost, (ids) =>
    db()
      .update(messages)
      .set({ status: 'failed', error: sql`coalesce(${messages.error}, 'lost')`, finishedAt: sql`now()` })
      .where(and(inArray(messages.id, ids), isLost)),
  )
  await inIdBatches(lt(messages.createdAt, sql`now() - interval '365 days'`), (ids) =>
    db().delete(messages).where(inArray(messages.id, ids)),
  )
  const withContent = and(
    lt(messages.createdAt, sql`now() - interval '30 days'`),
    ne(messages.content, ''),
    ne(messages.status, 'queued'),
  )
  // a message that was queued again since no longer fulfils the condition
  await inIdBatches(withContent, (ids) =>
    db()
      .update(messages)
      .set({ content: '' })
      .where(and(inArray(messages.id, ids), withContent)),
  )
}
