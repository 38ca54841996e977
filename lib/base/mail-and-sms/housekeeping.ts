import { and, desc, eq, inArray, lt, ne, type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'

/** How many rows one statement handles at most, so that it ends in time however many rows have accumulated. */
const batch = 2_000

/** Runs `work` on the ids of all matching messages, in batches. */
async function forAll(fitting: SQL | undefined, work: (ids: string[]) => Promise<unknown>) {
  for (;;) {
    const rows = await db()
      .select({ id: messages.id })
      .from(messages)
      .where(fitting)
      .orderBy(desc(messages.createdAt))
      .limit(batch)
    if (rows.length > 0) await work(rows.map(({ id }) => id))
    if (rows.length < batch) return
  }
}

/** Tries end after little more than a day: a message that is still queued then has lost its job with its process. */
const lost = and(eq(messages.status, 'queued'), lt(messages.createdAt, sql`now() - interval '2 days'`))

/** Deletes the content of messages after 30 days and their rows after a year. Marks lost messages as failed. */
export async function tidyMessages() {
  await forAll(lost, (ids) =>
    db()
      .update(messages)
      .set({ status: 'failed', error: sql`coalesce(${messages.error}, 'lost')`, finishedAt: sql`now()` })
      .where(and(inArray(messages.id, ids), lost)),
  )
  await forAll(lt(messages.createdAt, sql`now() - interval '365 days'`), (ids) =>
    db().delete(messages).where(inArray(messages.id, ids)),
  )
  const withContent = and(
    lt(messages.createdAt, sql`now() - interval '30 days'`),
    ne(messages.content, ''),
    ne(messages.status, 'queued'),
  )
  // a message that was queued again meanwhile no longer matches
  await forAll(withContent, (ids) =>
    db()
      .update(messages)
      .set({ content: '' })
      .where(and(inArray(messages.id, ids), withContent)),
  )
}
