import { and, lt, ne, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'

/** What messages said goes after 30 days, the note that they were sent after a year. */
export async function tidyMessages() {
  await db().delete(messages).where(lt(messages.createdAt, sql`now() - interval '365 days'`))
  await db()
    .update(messages)
    .set({ content: '' })
    .where(
      and(
        lt(messages.createdAt, sql`now() - interval '30 days'`),
        ne(messages.content, ''),
        ne(messages.status, 'queued'),
      ),
    )
}
