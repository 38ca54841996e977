import { z } from 'zod'
import { contract, Id, line } from '@/lib/base/contracts/contract'
import { ListMeta, listQuery } from '@/lib/base/lists/lists'
import { headerStatuses } from '../monitoring/contract'

const path = '/setting/diagnostics'
const common = { tag: 'diagnostics', access: { area: 'diagnostics' } } as const

/** `uncompared`: there is no recommended version. */
export const versionStatuses = ['current', 'uncompared', 'outdated', 'unknown'] as const

export const VersionQuery = listQuery({
  filters: {
    /** Part of the name of an application or of a part of the platform, or its key. */
    application: line(100).optional(),
    status: z.enum(versionStatuses, { error: 'errorFormat' }).optional(),
  },
  sorts: ['status', 'application'],
  defaultSort: { by: 'status', order: 'desc' },
})
export type VersionInput = z.output<typeof VersionQuery>

const Version = z.strictObject({
  /** A part of the platform, or the id of an application. */
  id: z.string(),
  application: z.string(),
  applicationId: Id.nullable(),
  version: z.string().nullable(),
  recommendVersion: z.string().nullable(),
  status: z.enum(versionStatuses),
  checkedAt: z.iso.datetime().nullable(),
  /** Why the last attempt found no version: a short word. */
  error: z.string().nullable(),
})
export type Version = z.output<typeof Version>

export const listVersions = contract({
  ...common,
  name: 'listVersions',
  method: 'GET',
  path: `${path}/versions`,
  summary: 'The versions of the platform, of its parts and of applications, and the recommended ones',
  query: VersionQuery,
  response: z.strictObject({ versions: z.array(Version), meta: ListMeta }),
})

export const refreshVersions = contract({
  ...common,
  name: 'refreshVersions',
  method: 'GET',
  acts: true,
  path: `${path}/refresh`,
  summary: 'Looks for all versions now, and answers like `listVersions`',
  query: VersionQuery,
  response: z.strictObject({ versions: z.array(Version), meta: ListMeta }),
  snackbar: 'diagnosticsRefresh',
  errors: { tooManyAttempts: 429 },
})

export const findingCodes = ['clientsWithoutPkce', 'keysToReseal', 'weakSettings'] as const

const Finding = z.strictObject({
  code: z.enum(findingCodes),
  count: z.number().int(),
  /** Ids of clients, names of keys, or ids of settings; at most the first twenty. */
  names: z.array(z.string()),
})
export type Finding = z.output<typeof Finding>

export const listFindings = contract({
  ...common,
  name: 'listFindings',
  method: 'GET',
  path: `${path}/findings`,
  summary: 'What is weaker than recommended: clients without PKCE, keys to seal again, settings',
  response: z.strictObject({ findings: z.array(Finding) }),
})

export const getDiagnosticsStatus = contract({
  name: 'getDiagnosticsStatus',
  tag: 'diagnostics',
  access: { method: 'diagnosticsNotifyAccess' },
  method: 'GET',
  path: `${path}/status`,
  summary: 'How much was looked at, and how much of it is outdated, unreachable or must be sealed again',
  response: z.strictObject({
    status: z.enum(headerStatuses),
    count: z.number().int(),
    errorCount: z.number().int(),
  }),
})

export const getUpdateStatus = contract({
  name: 'getUpdateStatus',
  tag: 'diagnostics',
  access: { method: 'diagnosticsApplicationsNotifyAccess' },
  method: 'GET',
  path: `${path}/applications/status`,
  summary: 'Whether a newer version of the platform is recommended',
  response: z.strictObject({
    status: z.enum(headerStatuses),
    version: z.string(),
    recommendVersion: z.string(),
  }),
})
