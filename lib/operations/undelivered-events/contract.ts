import { z } from 'zod'
import { contract, Done, Id, line } from '@/lib/base/contracts/contract'
import { areaCalls } from '@/lib/base/lists/area-calls'
import { ListMeta, listQuery } from '@/lib/base/lists/lists'

const area = 'monitoring'
const path = '/setting/monitoring/events'

const UndeliveredEvent = z.strictObject({
  id: Id,
  /** `failed`: dead; `unknown`: waiting for a handler that this version doesn't have. */
  reason: z.enum(['failed', 'unknown']),
  /** The handler that the event wasn't delivered to. */
  handler: z.string(),
  /** The audited entity that changed, or the name of the domain event. */
  topic: z.string(),
  entity: z.string(),
  entityId: z.string(),
  /** The time of the event. */
  date: z.iso.datetime(),
  attempts: z.number().int(),
  /** Why the last try failed. */
  error: z.string().nullable(),
  /** The number of later events in the same delivery queue. */
  waiting: z.number().int(),
})
export type UndeliveredEvent = z.output<typeof UndeliveredEvent>

export const UndeliveredQuery = listQuery({
  filters: { handler: line(64).optional(), entity: line(100).optional() },
  sorts: ['date', 'handler'],
  defaultSort: { by: 'date', order: 'asc' },
})

export const listUndelivered = areaCalls(area, path, {
  one: 'UndeliveredEvent',
  many: 'Undelivered',
  snackbar: 'event',
}).list({
  summary: 'Undelivered events: given up, or waiting for a handler that does not exist',
  query: UndeliveredQuery,
  response: z.strictObject({ events: z.array(UndeliveredEvent), meta: ListMeta }),
})

const decision = {
  tag: area,
  access: { area },
  method: 'POST',
  params: z.strictObject({ id: Id }),
  response: Done,
  errors: { notFound: 404, conflict: 409 },
} as const

export const retryEvent = contract({
  ...decision,
  name: 'retryEvent',
  path: `${path}/{id}/retry`,
  summary: 'Delivers an event that was given up again, and then the events that wait behind it',
  snackbar: 'eventRetry',
})

export const skipEvent = contract({
  ...decision,
  name: 'skipEvent',
  path: `${path}/{id}/skip`,
  summary: 'Gives an event up for good, so that the events that wait behind it are delivered',
  snackbar: 'eventSkip',
})
