import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { messages } from '@/db/schema'
import { listFailedJobs, listFailedMessages, retryJobs, retryMessage } from '@/lib/operations/failed-work/contract'
import type { Caller } from '../../factories/caller'
import { failJob } from '../../factories/failed-jobs'
import { first } from '../../factories/platform'
import { proof } from '../../factories/proofs'

/** A message that was given up, of a template of its own. */
async function failedMessage(more: Partial<typeof messages.$inferInsert> = {}) {
  const template = randomUUID()
  const values = { kind: 'email' as const, template, recipient: 'a@b.example', locale: 'ru', content: 'sealed' }
  const row = first(
    await db()
      .insert(messages)
      .values({ ...values, status: 'failed', ...more })
      .returning(),
  )
  return { id: row.id, template }
}
const input = ({ id }: { id: string }) => ({ params: { id } })
const failedJob = async () => ({ task: await failJob() })

export default [
  proof(listFailedMessages, {
    prepare: () => failedMessage(),
    input: ({ template }) => ({ query: { filter: { template } } }),
    shows: ({ id }) => ({ messages: [{ id, recipient: 'a@b.example', sendable: true }] }),
  }),
  proof(retryMessage, {
    makes: ['update messages'],
    prepare: () => failedMessage(),
    input,
    look: async (caller: Caller, { template }) =>
      (await caller.call(listFailedMessages, { query: { filter: { template } } })).messages,
    shows: () => [],
    errors: {
      conflict: { input: async () => input(await failedMessage({ status: 'queued' })) },
      messageTooOld: { input: async () => input(await failedMessage({ content: '' })) },
    },
  }),
  proof(listFailedJobs, {
    prepare: failedJob,
    input: () => ({}),
    shows: ({ task }) => ({ jobs: expect.arrayContaining([expect.objectContaining({ task, count: 1 })]) }),
  }),
  proof(retryJobs, {
    makes: ['update jobs'],
    prepare: failedJob,
    input: ({ task }) => ({ params: { task } }),
    look: async (caller: Caller, { task }) =>
      (await caller.call(listFailedJobs)).jobs.filter((job) => job.task === task),
    shows: () => [],
  }),
]
