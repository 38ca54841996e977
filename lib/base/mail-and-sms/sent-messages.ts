import { count, sql } from 'drizzle-orm'
import { z } from 'zod'
import { db } from '@/db/client'
import { selectPage } from '@/db/list'
import { messages } from '@/db/schema/operations'
import { found } from '@/db/search'
import { line } from '../contracts/contract'
import { listQuery } from '../lists/lists'
import { env } from '../runtime/env'
import { notFound } from '../runtime/errors'
import { messageContent } from './content'

export const SentMessagesQuery = listQuery({
  filters: { recipient: line().optional(), kind: z.enum(['email', 'sms']).optional() },
  sorts: ['createdAt', 'recipient'],
  defaultSort: { by: 'createdAt', order: 'desc' },
})

/**
 * Returns a page of mails and SMS with their content, newest first by default. Throws 404 in production, where nobody
 * may read them.
 */
export async function sentMessagesPage(query: z.output<typeof SentMessagesQuery>) {
  if (env().PLATFORM_MODE === 'production') throw notFound()
  const { rows, meta } = await selectPage(
    query,
    undefined,
    {
      sorts: { createdAt: messages.createdAt, recipient: messages.recipient },
      filters: {
        recipient: (text) => found(text, [messages.recipient]),
        kind: (kind) => sql`${messages.kind} = ${kind}`,
      },
      tie: messages.id,
    },
    {
      rows: ({ where, orderBy, limit, offset }) =>
        db()
          .select()
          .from(messages)
          .where(where)
          .orderBy(...orderBy)
          .limit(limit)
          .offset(offset),
      count: async (where) => (await db().select({ total: count() }).from(messages).where(where))[0]?.total ?? 0,
    },
  )
  return { messages: rows.map((row) => ({ ...row, content: messageContent(row) })), meta }
}
