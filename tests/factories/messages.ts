import { desc, eq } from 'drizzle-orm'
import { Logger, runOnce } from 'graphile-worker'
import { databasePool, db } from '@/db/client'
import { messages } from '@/db/schema'
import { messageContent } from '@/lib/base/mail-and-sms/send-message'
import { allTasks } from '@/lib/wiring/tasks'

const silent = new Logger(() => () => {})

/** Runs the jobs that are due, as the worker does, and waits until it is stored which of them have succeeded or failed. */
export const runJobs = (only: (task: string) => boolean = () => true) =>
  runOnce({
    pgPool: databasePool(),
    taskList: Object.fromEntries(Object.entries(allTasks()).filter(([task]) => only(task))),
    noHandleSignals: true,
    logger: silent,
    // it waits for completions only if they are batched; else a job that has ended can be unlocked and run once more
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  })

/** Runs the due jobs and returns the text of the newest message to a recipient. */
export async function lastMessageTo(recipient: string) {
  await runJobs()
  const [message] = await db()
    .select()
    .from(messages)
    .where(eq(messages.recipient, recipient))
    .orderBy(desc(messages.createdAt))
    .limit(1)
  return message ? { ...message, content: messageContent(message) } : null
}

/** Returns the digits of the newest code sent to a recipient. */
export async function lastCodeTo(recipient: string): Promise<string> {
  const message = await lastMessageTo(recipient)
  const code = /(?:^|#)(\d{4,8})\b/m.exec(
    message ? ('subject' in message.content && message.content.subject) || message.content.text : '',
  )
  if (!code?.[1]) throw new Error(`no code was sent to ${recipient}`)
  return code[1]
}
