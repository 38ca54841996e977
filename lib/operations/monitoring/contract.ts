import { z } from 'zod'
import { contract, Id, line } from '@/lib/base/contracts/contract'
import { fileAnswer } from '@/lib/base/contracts/file'
import { exportQuery, exportTypes } from '@/lib/base/export/query'
import { ListMeta, listQuery, many } from '@/lib/base/lists/lists'
import { checkKinds } from '@/lib/base/runtime/monitoring'

const path = '/setting/monitoring'
const common = { tag: 'monitoring', access: { area: 'monitoring' } } as const

export const checkStatuses = ['up', 'down'] as const
/** The periods of a chart, in hours. */
export const chartHours = [24, 168, 720] as const

const list = {
  filters: {
    /** Ids of applications. */
    applications: many(Id).optional(),
    status: z.enum(checkStatuses, { error: 'errorFormat' }).optional(),
    /** Part of a key or of a name. */
    key: line(100).optional(),
  },
  sorts: ['status', 'key', 'application', 'critical', 'latency', 'errorAt'] as const,
  defaultSort: { by: 'status', order: 'desc' } as const,
}

/** The query of the list: failing checks come first. */
export const MonitoringQuery = listQuery(list)

/** The state of half an hour: no results, all successful, something stuck, some or all results failed. */
export const barStates = ['none', 'good', 'stuck', 'partly', 'bad'] as const

const MonitoringRow = z.strictObject({
  id: Id,
  key: z.string(),
  kind: z.enum(checkKinds),
  /** The name of the application or the provider; null for parts of the platform. */
  application: z.string().nullable(),
  description: z.string(),
  status: z.enum(checkStatuses),
  /** False if there is nothing to check, such as no mail server: the status then has no meaning. */
  connected: z.boolean(),
  stuckCount: z.number().int(),
  errorAt: z.iso.datetime().nullable(),
  /** A short word such as `timeout`, `ECONNREFUSED` or `HTTP 503`. */
  lastError: z.string().nullable(),
  /** 1 low, 2 medium, 3 high. */
  critical: z.number().int(),
  /** Null before the first result. */
  checkedAt: z.iso.datetime().nullable(),
  /** Milliseconds of the last answer; null without one. */
  latency: z.number().int().nullable(),
  /** The time of the last change of the status, and the time since which the key has been checked. */
  changedAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  /** The percentage of successful results of the last day; null without results. */
  available: z.number().nullable(),
  /** The last 48 half hours, the oldest first. */
  bars: z.array(z.enum(barStates)),
})
export type MonitoringRow = z.output<typeof MonitoringRow>

const Turn = z.strictObject({
  /** The time of the last checks, and the time at which the next are due; null before the first. */
  checkedAt: z.iso.datetime().nullable(),
  nextAt: z.iso.datetime().nullable(),
  /** Whether checks have stopped: no worker runs them, or it hangs. */
  stale: z.boolean(),
})
export type Turn = z.output<typeof Turn>

export const listMonitoring = contract({
  ...common,
  name: 'listMonitoring',
  method: 'GET',
  path,
  summary: 'What is checked and how it stands, and when checks ran',
  query: MonitoringQuery,
  response: z.strictObject({ data: z.array(MonitoringRow), meta: ListMeta, turn: Turn }),
})

/** A part of a period; times are in milliseconds, null without a successful result. */
const Part = z.strictObject({
  at: z.iso.datetime(),
  checks: z.number().int(),
  failures: z.number().int(),
  mean: z.number().int().nullable(),
  worst: z.number().int().nullable(),
})
export type ChartPart = z.output<typeof Part>

export const readCheckHistory = contract({
  ...common,
  name: 'readCheckHistory',
  method: 'GET',
  path: `${path}/{id}/history`,
  summary: 'How fast a check was answered and how often not, by the hour for a day, else by the day',
  params: z.strictObject({ id: Id }),
  query: z.strictObject({ hours: z.coerce.number().pipe(z.literal(chartHours)).default(24) }),
  response: z.strictObject({ key: z.string(), application: z.string().nullable(), parts: z.array(Part) }),
  errors: { notFound: 404 },
})

export const refreshMonitoring = contract({
  ...common,
  name: 'refreshMonitoring',
  method: 'GET',
  acts: true,
  path: `${path}/refresh`,
  summary: 'Checks everything now, once for all who ask at the same time, and answers when it is done',
  response: Turn,
  snackbar: 'monitoringRefresh',
  errors: { tooManyAttempts: 429 },
})

export const exportMonitoring = contract({
  ...common,
  name: 'exportMonitoring',
  method: 'GET',
  path: `${path}/xlsx`,
  summary: 'The list under its filters as a workbook, or as CSV if `format` says so',
  query: exportQuery(list, 'xlsx'),
  response: fileAnswer({ types: Object.values(exportTypes) }),
})

export const listMonitoredApplications = contract({
  ...common,
  name: 'listMonitoredApplications',
  method: 'GET',
  path: `${path}/applications`,
  summary: 'Applications that are checked, for the filter',
  response: z.strictObject({ applications: z.array(z.strictObject({ id: Id, name: z.string() })) }),
})

/** A status in the header: `error` shows a warning. */
export const headerStatuses = ['success', 'error'] as const

export const getMonitoringStatus = contract({
  name: 'getMonitoringStatus',
  tag: 'monitoring',
  access: { method: 'monitoringNotifyAccess' },
  method: 'GET',
  path: `${path}/status`,
  summary: 'Whether everything that is checked works: how much there is, and how much is down or stuck',
  response: z.strictObject({
    status: z.enum(headerStatuses),
    count: z.number().int(),
    errorCount: z.number().int(),
  }),
})
