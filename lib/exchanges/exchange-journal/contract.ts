import { z } from 'zod'
import { contract, Id, line } from '@/lib/base/contracts/contract'
import { fileAnswer } from '@/lib/base/contracts/file'
import { CursorMeta, listQuery, many } from '@/lib/base/lists/lists'
import { integrationKeys } from './keys'

const common = { tag: 'integration', access: { area: 'integration' }, method: 'GET' } as const
const path = '/setting/integration-monitoring'
const Key = z.enum(integrationKeys, { error: 'errorOption' })

export const exchangeStatuses = ['wait', 'success', 'error'] as const
export const ExchangeStatus = z.enum(exchangeStatuses, { error: 'errorOption' })

const Day = z.iso.date('errorFormat').optional()

/** The query of the journal: the last changed entries first, by cursor. */
export const ExchangeQuery = listQuery({
  filters: {
    createdFrom: Day,
    createdTo: Day,
    updatedFrom: Day,
    updatedTo: Day,
    key: many(Key).optional(),
    status: many(ExchangeStatus).optional(),
    /** The requests of one run. */
    runId: Id.optional(),
  },
  sorts: ['updatedAt', 'createdAt'],
  defaultSort: { by: 'updatedAt', order: 'desc' },
  cursor: true,
})
export type ExchangeInput = z.output<typeof ExchangeQuery>

const Exchange = z.strictObject({
  id: Id,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  key: Key,
  status: ExchangeStatus,
  /** The id for the downloads of the two messages; null while there is no answer. */
  request: Id,
  response: Id.nullable(),
  method: z.string(),
  url: z.string(),
  /** The status of the answer; null if none came. */
  httpStatus: z.number().int().nullable(),
  /** Milliseconds; null until the answer. */
  duration: z.number().int().nullable(),
  /** Why it failed: the code of an error. */
  fault: z.string().nullable(),
  /** Its run; null for a check. */
  runId: Id.nullable(),
})
export type Exchange = z.output<typeof Exchange>

export const searchIntegrationKeys = contract({
  ...common,
  name: 'searchIntegrationKeys',
  path: `${path}/keys/search`,
  summary: 'The keys of exchanges, for a choice',
  query: z.strictObject({ searchValue: line(100).optional() }),
  response: z.strictObject({ keys: z.array(Key) }),
})

export const listExchanges = contract({
  ...common,
  name: 'listExchanges',
  path,
  summary: 'The journal: each request to another system, with how it ended',
  query: ExchangeQuery,
  response: z.strictObject({ monitoring: z.array(Exchange), meta: CursorMeta }),
})

const message = (name: string, of: string, summary: string) =>
  contract({
    ...common,
    name,
    path: `${path}/${of}/{id}`,
    summary,
    params: z.strictObject({ id: Id }),
    response: fileAnswer({ types: ['text/plain'] }),
    errors: { notFound: 404, forbiddenExchange: 403 },
  })

export const readExchangeRequest = message(
  'readExchangeRequest',
  'requests',
  'What was sent, without secrets; it needs the read method of the area whose data it has',
)
export const readExchangeResponse = message(
  'readExchangeResponse',
  'responses',
  'What was answered, without secrets; it needs the read method of the area whose data it has',
)
