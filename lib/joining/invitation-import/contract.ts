import { z } from 'zod'
import { batchContracts } from '@/lib/base/batch-jobs/contracts'
import { contract, Id } from '@/lib/base/contracts/contract'
import { manyLines } from '@/lib/base/text/characters'

const common = { tag: 'invitations', access: { method: 'masterAccountAccess' } } as const
const path = '/master-account/invitations/import'

/** Characters of a file of invitations: about 200 for each of 5 000 rows. */
export const longestText = 1_000_000

/** The text isn't trimmed, because rows are counted as in the file. It may begin with a byte order mark. */
const Csv = z
  .string({ error: 'errorEmpty' })
  .max(longestText, 'importTooLong')
  .regex(manyLines, 'errorChars')
  .meta({ description: 'CSV whose first row names the columns email, inn, kpp, organization and roles; or e-mails' })

/** The choice of the form, for rows that don't name their company, or their organization and roles. */
const choice = {
  contractorId: Id.optional(),
  access: z
    .array(z.strictObject({ organizationId: Id, roles: z.array(Id).max(100, 'errorTooMany') }))
    .max(200, 'errorTooMany')
    .optional(),
}
const body = z.strictObject({ text: Csv, ...choice })
const bodyLimit = 4 * 1024 * 1024

const errors = {
  importQuotes: 400,
  importNoEmail: 400,
  importEmpty: 400,
  importTooMany: 400,
  errorOrganization: 400,
  errorRole: 400,
  forbiddenRole: 403,
  notFound: 404,
  tooManyAttempts: 429,
}

const Params = z.record(z.string(), z.union([z.string(), z.number()]))
const RowFault = z.strictObject({
  row: z.number().int(),
  email: z.string(),
  column: z.enum(['email', 'inn', 'kpp', 'organization', 'roles']),
  code: z.string(),
  params: Params,
})
export type RowFault = z.output<typeof RowFault>

const Invited = z.strictObject({
  row: z.number().int(),
  email: z.string(),
  contractor: z.string(),
  access: z.array(z.strictObject({ organization: z.string(), roles: z.array(z.string()) })),
})

const Preview = z.strictObject({
  total: z.number().int(),
  good: z.number().int(),
  /** Names of columns that the import ignores. */
  ignored: z.array(z.string()),
  /** The first rows that would be sent. */
  invitations: z.array(Invited),
  /** The first fault of each of the first faulty rows. */
  faults: z.array(RowFault),
})
export type Preview = z.output<typeof Preview>

export const checkInvitationImport = contract({
  ...common,
  name: 'checkInvitationImport',
  snackbar: 'invitationImportCheck',
  method: 'POST',
  path: `${path}/check`,
  summary: 'Checks a file of invitations row by row; nothing is stored or sent',
  body,
  bodyLimit,
  response: Preview,
  errors,
})

const calls = batchContracts(common, path, {
  one: 'InvitationImport',
  many: 'InvitationImports',
  snackbar: 'invitationImport',
})

export const startInvitationImport = contract({
  ...common,
  name: 'startInvitationImport',
  snackbar: 'invitationImportStart',
  method: 'POST',
  path,
  summary: 'Sends the invitations of a file as a run; wrong rows are left out and kept as faults',
  body,
  bodyLimit,
  response: z.strictObject({ id: Id }),
  errors: { ...errors, importNothing: 400, runRunning: 409 },
})

export const listInvitationImports = calls.list('The newest runs of invitations that the caller has started')
export const readInvitationImport = calls.read('A run of invitations: how far it is, and its first faults')
export const stopInvitationImport = calls.stop('Stops a run of invitations; none is sent after the answer')
export const resumeInvitationImport = calls.resume('Lets a stopped run of invitations go on')
export const readInvitationImportFaults = calls.faults('The rows that were not sent, as CSV with the reason')
