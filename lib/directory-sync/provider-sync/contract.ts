import { z } from 'zod'
import { batchContracts } from '@/lib/base/batch-jobs/contracts'
import { contract, Done, Id } from '@/lib/base/contracts/contract'
import { readVersion } from '@/lib/base/lists/area-calls'
import { ListMeta, listQuery, yesNoFilter } from '@/lib/base/lists/lists'
import { periodAmounts } from '../providers/contract'

const common = { tag: 'providers', access: { area: 'providers' } } as const
const path = '/setting/providers'
const runsPath = `${path}/runs`
const ById = z.strictObject({ id: Id })

/** The shortest and the longest time between scheduled runs, in seconds. */
export const shortestPeriod = 15 * 60
export const longestPeriod = 30 * 86_400
/** Longer periods are discouraged, in seconds. */
export const longPeriod = 86_400

/** The reasons why a run can't start. */
const startRefusals = {
  syncProviderOff: 409,
  syncOff: 409,
  syncFieldsMissing: 409,
  syncRunning: 409,
  syncAwait: 409,
} as const

export const startProviderSync = contract({
  ...common,
  name: 'startProviderSync',
  snackbar: 'providersStartSync',
  method: 'POST',
  path: `${path}/{id}/sync/start`,
  summary: 'Starts a run; with `dry` it writes nothing, and says what a run would change',
  params: ById,
  body: z.strictObject({ dry: z.boolean({ error: 'errorFormat' }).default(false) }),
  response: z.strictObject({ id: Id }),
  errors: { notFound: 404, ...startRefusals },
})

export const updateProviderSync = contract({
  ...common,
  name: 'updateProviderSync',
  snackbar: 'providersSyncUpdate',
  method: 'PUT',
  path: `${path}/{id}/sync/{syncId}`,
  summary:
    'Switches a synchronization, and sets how often it runs; without a period the first enabling takes `syncPeriod`',
  params: z.strictObject({ id: Id, syncId: Id }),
  body: z.strictObject({
    enabled: z.boolean({ error: 'errorFormat' }),
    /** The number of the period; 0 for no scheduled runs. */
    periodUnit: z
      .number({ error: 'errorFormat' })
      .int('errorFormat')
      .min(0, 'errorRange')
      .max(43_200, 'errorRange')
      .optional(),
    periodAmount: z.enum(periodAmounts, { error: 'errorOption' }).default('hours'),
    syncLimit: z
      .number({ error: 'errorFormat' })
      .int('errorFormat')
      .min(10, 'errorRange')
      .max(500, 'errorRange')
      .default(50),
    ...readVersion,
  }),
  response: Done,
  errors: {
    ...{ notFound: 404, forbiddenUser: 403, forbiddenRole: 403 },
    ...{ conflict: 409, errorSyncPeriod: 400, errorSyncOffered: 400 },
  },
})

export const runActions = ['created', 'changed', 'enabled', 'disabled', 'same', 'failed', 'waiting'] as const
export type RunAction = (typeof runActions)[number]

const Counts = z.strictObject({
  created: z.number().int(),
  changed: z.number().int(),
  enabled: z.number().int(),
  disabled: z.number().int(),
  same: z.number().int(),
})

const SyncRun = z.strictObject({
  id: Id,
  state: z.enum(['running', 'stopped', 'done']),
  phase: z.enum(['read', 'write', 'guard', 'disable', 'done']),
  trigger: z.enum(['manual', 'schedule', 'first']),
  /** Whether it writes nothing. */
  dry: z.boolean(),
  /** The name of the person who started it by hand. */
  starter: z.string().nullable(),
  /** How many people were read, on how many pages, and how many of them the directory has disabled. */
  read: z.number().int(),
  pages: z.number().int(),
  off: z.number().int(),
  total: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
  counts: Counts,
  /** How many accounts there were before the run, and how many of them the directory no longer has or has disabled. */
  known: z.number().int(),
  gone: z.number().int(),
  /** How many people were written in part. */
  noted: z.number().int(),
  /** Fields or roles of which more than a tenth of the people would lose their value: how many, and of how many. */
  losses: z.array(z.strictObject({ title: z.string(), lost: z.number().int(), having: z.number().int() })),
  fault: z.string().nullable(),
  date: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  worked: z.number().int(),
  left: z.number().int().nullable(),
})
export type SyncRun = z.output<typeof SyncRun>

const Fault = z.strictObject({
  row: z.number().int(),
  title: z.string(),
  externalId: z.string(),
  /** Whether the person was written without this field. */
  written: z.boolean(),
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type SyncFault = z.output<typeof Fault>

export const SyncHistoryQuery = listQuery({
  filters: { dry: yesNoFilter().optional() },
  sorts: ['date'],
  defaultSort: { by: 'date', order: 'desc' },
})

export const listProviderSyncHistory = contract({
  ...common,
  name: 'listProviderSyncHistory',
  method: 'GET',
  path: `${path}/sync/{syncId}/history`,
  summary: 'The runs of a synchronization, with how long each took and what it did',
  params: z.strictObject({ syncId: Id }),
  query: SyncHistoryQuery,
  response: z.strictObject({ history: z.array(SyncRun), meta: ListMeta }),
  errors: { notFound: 404 },
})

export const readProviderRun = contract({
  ...common,
  name: 'readProviderRun',
  method: 'GET',
  path: `${runsPath}/{id}`,
  summary: 'A run of a synchronization: how far it is, and its first faults',
  params: ById,
  response: z.strictObject({ run: SyncRun, faults: z.array(Fault) }),
  errors: { notFound: 404 },
})

export const RunRowQuery = listQuery({
  filters: { action: z.enum(runActions, { error: 'errorOption' }).optional() },
  sorts: ['row'],
  defaultSort: { by: 'row', order: 'asc' },
})

export const listProviderRunRows = contract({
  ...common,
  name: 'listProviderRunRows',
  method: 'GET',
  path: `${runsPath}/{id}/rows`,
  summary: 'The people of a run, with what was done or would be done with each',
  params: ById,
  query: RunRowQuery,
  response: z.strictObject({
    rows: z.array(
      z.strictObject({
        row: z.number().int(),
        title: z.string(),
        externalId: z.string(),
        userId: Id.nullable(),
        action: z.enum(runActions),
        /** The fields that changed, by their titles. */
        changed: z.array(z.string()),
      }),
    ),
    meta: ListMeta,
  }),
  errors: { notFound: 404 },
})

const calls = batchContracts(common, runsPath, { one: 'ProviderRun', many: 'ProviderRuns', snackbar: 'providerRun' })

export const stopProviderRun = calls.stop('Stops a run; no person is written after the answer')

export const resumeProviderRun = contract({
  ...common,
  name: 'resumeProviderRun',
  snackbar: 'providerRunResume',
  method: 'POST',
  path: `${runsPath}/{id}/resume`,
  summary:
    'Lets a stopped run go on; where it waits for a decision, `disable` says what becomes of people who are gone, `losses` whether people lose values and roles',
  params: ById,
  body: z.strictObject({
    disable: z.enum(['all', 'none'], { error: 'errorOption' }).optional(),
    losses: z.enum(['all', 'none'], { error: 'errorOption' }).optional(),
  }),
  response: Done,
  errors: { notFound: 404, runOver: 409, runRunning: 409, errorSyncDecision: 400, syncProviderOff: 409, syncOff: 409 },
})

export const readProviderRunFaults = calls.faults(
  'The people who were not written, or not wholly, as CSV with the reason',
)
