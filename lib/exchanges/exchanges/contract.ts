import { z } from 'zod'
import { batchContracts } from '@/lib/base/batch-jobs/contracts'
import { contract, Done, Id, line } from '@/lib/base/contracts/contract'
import { ExternalSecret, externalAddress } from '@/lib/base/http/external-address'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { ListMeta, listQuery, yesNoFilter } from '@/lib/base/lists/lists'
import { periodAmounts, SyncDetails } from '@/lib/directory-sync/providers/contract'
import { integrationKeys } from '../exchange-journal/keys'

const common = { tag: 'integration', access: { area: 'integration' } } as const
const path = '/setting/integration-synchronization'
const runsPath = `${path}/runs`
const ById = z.strictObject({ id: Id })

export const authKinds = ['none', 'bearer', 'basic', 'header'] as const
export type AuthKind = (typeof authKinds)[number]
/** The shortest and the longest time between scheduled runs, in seconds. */
export const shortestPeriod = 5 * 60
export const longestPeriod = 30 * 86_400
/** The least and the most rows of a request. */
export const pageSizes = { least: 1, most: 1_000 } as const

/** Headers that the platform sets itself, or that change how a message is read. */
const ownHeaders =
  /^(?:accept|connection|content-.*|cookie|expect|host|idempotency-key|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

const Sync = z.strictObject({
  id: Id,
  key: z.enum(integrationKeys),
  enabled: z.boolean(),
  url: z.string(),
  auth: z.enum(authKinds),
  authName: z.string(),
  /** The last characters of the secret; empty without one. */
  secretTail: z.string(),
  /** Whether an administrator vouches for it (docs/rules/integration.md#who-vouches-for-an-exchange). */
  vouched: z.boolean(),
  periodUnit: z.number().int(),
  periodAmount: z.enum(periodAmounts),
  pageSize: z.number().int(),
  details: SyncDetails,
  updatedAt: z.iso.datetime(),
})
export type IntegrationSync = z.output<typeof Sync>

export const IntegrationSyncQuery = listQuery({
  filters: { enabled: yesNoFilter().optional() },
  sorts: ['key', 'updatedAt'],
  defaultSort: { by: 'key', order: 'asc' },
})

const calls = areaCalls('integration', path, {
  one: 'IntegrationSync',
  many: 'IntegrationSyncs',
  snackbar: 'integrationSync',
})

export const listIntegrationSyncs = calls.list({
  summary: 'What is exchanged with other systems, with how it stands',
  query: IntegrationSyncQuery,
  response: z.strictObject({ synchronizations: z.array(Sync), meta: ListMeta }),
})

export const readIntegrationSync = calls.read({
  summary: 'One exchange with another system, without its secret',
  response: z.strictObject({ synchronization: Sync }),
})

export const updateIntegrationSync = calls.update({
  summary:
    'Replaces where data goes or comes from and how often; an empty secret stays, unless it would go to another address',
  body: z.strictObject({
    url: externalAddress('errorIntegrationAddress'),
    auth: z.enum(authKinds, { error: 'errorOption' }).default('none'),
    authName: line(100)
      .regex(/^[\x21-\x7e]*$/, 'errorChars')
      .default(''),
    secret: ExternalSecret.default(''),
    /** The number of the period; 0 for no scheduled runs. */
    periodUnit: z
      .number({ error: 'errorFormat' })
      .int('errorFormat')
      .min(0, 'errorRange')
      .max(43_200, 'errorRange')
      .default(0),
    periodAmount: z.enum(periodAmounts, { error: 'errorOption' }).default('hours'),
    pageSize: z
      .number({ error: 'errorFormat' })
      .int('errorFormat')
      .min(pageSizes.least, 'errorRange')
      .max(pageSizes.most, 'errorRange')
      .default(100),
    ...readVersion,
  }),
  errors: {
    errorIntegrationHttps: 400,
    errorIntegrationHeader: 400,
    errorIntegrationPeriod: 400,
    errorSecretAgain: 400,
    errorEmpty: 400,
    forbiddenExchange: 403,
  },
})

/** Returns whether a header with this name may carry the secret. */
export const isAuthHeader = (name: string) => /^[\w-]+$/.test(name) && !ownHeaders.test(name)

export const enableIntegrationSync = calls.enable({
  summary: 'Switches an exchange on or off; while it is off, nothing is sent or read',
  errors: { integrationUnset: 409, forbiddenExchange: 403 },
})

export const startIntegrationSync = contract({
  ...common,
  name: 'startIntegrationSync',
  snackbar: 'integrationSyncStart',
  method: 'POST',
  path: `${path}/{id}/start`,
  summary: 'Starts a run, which works with the rights of the caller',
  params: ById,
  response: z.strictObject({ id: Id }),
  errors: {
    notFound: 404,
    forbiddenExchange: 403,
    integrationOff: 409,
    integrationUnset: 409,
    integrationRunning: 409,
  },
})

/** Why another system can't be read or written; runs stop with the same codes. */
export const exchangeFaults = {
  integrationAddress: 400,
  integrationConnection: 400,
  integrationTimeout: 400,
  integrationAccess: 400,
  integrationRedirect: 400,
  integrationAnswer: 400,
  integrationTooLarge: 400,
  integrationFormat: 400,
} as const
export type ExchangeFault = keyof typeof exchangeFaults

export const checkIntegrationSync = contract({
  ...common,
  name: 'checkIntegrationSync',
  snackbar: 'integrationSyncCheck',
  method: 'POST',
  path: `${path}/{id}/check`,
  summary: 'Reads the first row without writing it, or sends a page without rows',
  params: ById,
  response: z.strictObject({
    status: z.literal('success'),
    /** How many rows came; null for an export. */
    rows: z.number().int().nullable(),
    /** The faults of the rows that came. */
    faults: z.array(
      z.strictObject({
        title: z.string(),
        code: z.string(),
        params: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    ),
  }),
  errors: {
    notFound: 404,
    forbiddenExchange: 403,
    integrationUnset: 409,
    tooManyAttempts: 429,
    ...exchangeFaults,
  },
})

const run = batchContracts(common, runsPath, {
  one: 'IntegrationRun',
  many: 'IntegrationRuns',
  snackbar: 'integrationRun',
})

export const readIntegrationRun = run.read(
  'A run: how far it is, and its first faults, which need the read method of the area whose data they have',
)
export const stopIntegrationRun = run.stop('Stops a run; no row is done after the answer')
export const resumeIntegrationRun = contract({
  ...common,
  name: 'resumeIntegrationRun',
  snackbar: 'integrationRunResume',
  method: 'POST',
  path: `${runsPath}/{id}/resume`,
  summary: 'Lets a stopped run go on, with the rights of the caller',
  params: ById,
  response: Done,
  errors: {
    notFound: 404,
    forbiddenExchange: 403,
    runOver: 409,
    runRunning: 409,
    integrationOff: 409,
    integrationUnset: 409,
  },
})
export const readIntegrationRunFaults = run.faults(
  'The rows that failed, as CSV with the reason; it needs the read method of the area whose data they have',
  { forbiddenExchange: 403 },
)

export const IntegrationRunQuery = listQuery({
  filters: {},
  sorts: ['date'],
  defaultSort: { by: 'date', order: 'desc' },
})

export const listIntegrationRuns = contract({
  ...common,
  name: 'listIntegrationRuns',
  method: 'GET',
  path: `${path}/{id}/runs`,
  summary: 'The runs of an exchange, the newest first',
  params: ById,
  query: IntegrationRunQuery,
  response: z.strictObject({
    runs: z.array(
      z.strictObject({
        id: Id,
        state: z.enum(['running', 'stopped', 'done']),
        trigger: z.enum(['manual', 'schedule']),
        starter: z.string().nullable(),
        pages: z.number().int(),
        total: z.number().int(),
        done: z.number().int(),
        failed: z.number().int(),
        fault: z.string().nullable(),
        date: z.iso.datetime(),
        worked: z.number().int(),
      }),
    ),
    meta: ListMeta,
  }),
  errors: { notFound: 404 },
})
