import { and, desc, eq, inArray, lt, ne, type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'

/** As many rows as a statement is sure to get through in its time, whatever has piled up. */
const batch = 2_000

/** Does something to the messages that fit, some at a time. */
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

/** Tries go on for little more than a day: what still waits then lost its job with the process that ran it last. */
const lost = and(eq(messages.status, 'queued'), lt(messages.createdAt, sql`now() - interval '2 days'`))

/** What messages said goes after 30 days, the note that they were sent after a year. One that was lost has failed. */
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
  const said = and(
    lt(messages.createdAt, sql`now() - interval '30 days'`),
    ne(messages.content, ''),
    ne(messages.status, 'queued'),
  )
  // one that was put back into the queue meanwhile fits no more, and isn't among the next
  await forAll(said, (ids) =>
    db()
      .update(messages)
      .set({ content: '' })
      .where(and(inArray(messages.id, ids), said)),
  )
}
