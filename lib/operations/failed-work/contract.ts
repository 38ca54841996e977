import { z } from 'zod'
import { contract, Done, Id, line } from '@/lib/base/contracts/contract'
import { areaCalls } from '@/lib/base/lists/area-calls'
import { ListMeta, listQuery } from '@/lib/base/lists/lists'

const area = 'monitoring'
const ofMonitoring = { tag: area, access: { area } } as const

const FailedMessage = z.strictObject({
  id: Id,
  kind: z.enum(['email', 'sms']),
  template: z.string(),
  recipient: z.string(),
  attempts: z.number().int(),
  /** The error of the last attempt. */
  error: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** Whether it can still be sent: it contains no code, hasn't expired, and its text is stored. */
  sendable: z.boolean(),
})
export type FailedMessage = z.output<typeof FailedMessage>

export const FailedMessageQuery = listQuery({
  filters: {
    kind: z.enum(['email', 'sms'], { error: 'errorFormat' }).optional(),
    template: line(64).optional(),
    /** Created within this number of hours. */
    hours: z.coerce.number().int('errorFormat').min(1, 'errorRange').max(8784, 'errorRange').optional(),
  },
  sorts: ['createdAt'],
  defaultSort: { by: 'createdAt', order: 'desc' },
})

export const listFailedMessages = areaCalls(area, '/setting/monitoring/messages', {
  one: 'FailedMessage',
  many: 'FailedMessages',
  snackbar: 'message',
}).list({
  summary: 'Messages that were given up, without their text',
  query: FailedMessageQuery,
  response: z.strictObject({ messages: z.array(FailedMessage), meta: ListMeta }),
})

export const retryMessage = contract({
  ...ofMonitoring,
  name: 'retryMessage',
  method: 'POST',
  path: '/setting/monitoring/messages/{id}/retry',
  summary: 'Sends a message that was given up again, under the same Message-ID',
  params: z.strictObject({ id: Id }),
  response: Done,
  snackbar: 'messageRetry',
  errors: { notFound: 404, conflict: 409, messageTooOld: 409 },
})

const FailedJobs = z.strictObject({
  /** The task of the jobs. */
  task: z.string(),
  count: z.number().int(),
  /** The time and the error of the last failure. */
  failedAt: z.iso.datetime(),
  error: z.string().nullable(),
})
export type FailedJobs = z.output<typeof FailedJobs>

export const listFailedJobs = contract({
  ...ofMonitoring,
  name: 'listFailedJobs',
  method: 'GET',
  path: '/setting/monitoring/jobs',
  summary: 'Jobs that were given up, by their kind; the kind that failed last comes first',
  response: z.strictObject({ jobs: z.array(FailedJobs) }),
})

export const retryJobs = contract({
  ...ofMonitoring,
  name: 'retryJobs',
  method: 'POST',
  path: '/setting/monitoring/jobs/{task}/retry',
  summary: 'Runs the jobs of a kind that were given up again, with all their tries. 404 if there are none',
  params: z.strictObject({ task: line(64) }),
  response: z.strictObject({ retried: z.number().int() }),
  snackbar: 'jobsRetry',
  errors: { notFound: 404 },
})
