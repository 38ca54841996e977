import { z } from 'zod'
import { batchContracts } from '@/lib/base/batch-jobs/contracts'
import { contract, Id, line } from '@/lib/base/contracts/contract'
import { file } from '@/lib/base/contracts/file'
import { encodings } from '@/lib/base/tables/encodings'
import { importKeys, importModes, largestFile } from './offered'

const common = { tag: 'users', access: { area: 'users' } } as const
const path = '/setting/users/import'

const File = file({ types: ['application/octet-stream'], max: largestFile })

/** How the file is read where its own signs mislead. */
const wishes = {
  encoding: z.enum(encodings, { error: 'errorOption' }).optional().meta({
    description: 'The encoding of CSV; by default what its first bytes and its letters say',
  }),
  sheet: z.coerce
    .number({ error: 'errorOption' })
    .int('errorOption')
    .min(1, 'errorOption')
    .max(1_000, 'errorOption')
    .optional()
    .meta({
      description: 'The number of the sheet among those that people see; by default the first one that has a table',
    }),
}

const plan = {
  file: File,
  ...wishes,
  dayOrders: line(20_000).optional().meta({
    description:
      'What stands first in dates such as 04/01/1981, as a JSON list in the order of the columns: `day`, `month`, or null',
  }),
  columns: line(20_000).meta({
    description:
      'What each column holds, as a JSON list in their order: `field.<code>`, `externalId`, `password` (a hash), `authenticatorKey` (base32 or an otpauth address), `roles`, `organization`, `contractors`, or null',
  }),
  by: z.enum(importKeys, { error: 'errorOption' }),
  mode: z.enum(importModes, { error: 'errorOption' }),
  sendLinks: z.enum(['true', 'false'], { error: 'errorOption' }).meta({
    description: 'Whether accounts that are created without a password get a link that sets the first one',
  }),
}

const fileErrors = {
  tableSheet: 400,
  tableFormat: 400,
  tableQuotes: 400,
  tableEmpty: 400,
  tableTooMany: 400,
  tableTooWide: 400,
  tableTooLong: 400,
  tooManyAttempts: 429,
} as const
const planErrors = {
  ...fileErrors,
  userImportColumns: 400,
  userImportTwice: 400,
  userImportNames: 400,
  userImportDayOrder: 400,
  userImportKey: 400,
} as const

const Source = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('csv'), encoding: z.enum(encodings), separator: z.enum([';', ',', '\t', '|']) }),
  /** `sheets` are the names of those that people see, `sheet` is the number of the one that was read, from 1. */
  z.strictObject({ kind: z.literal('xlsx'), sheet: z.number().int(), sheets: z.array(z.string()) }),
])

const Columns = z.strictObject({
  /** How the file was read. */
  source: Source,
  rows: z.number().int(),
  columns: z.array(
    z.strictObject({
      name: z.string(),
      /** Whether another column has the same name. */
      doubled: z.boolean(),
      /** The first values. */
      samples: z.array(z.string()),
      /** What it seems to hold, by the caller's last import or by its name. */
      target: z.string().nullable(),
      /** Whether its name means two things, so that somebody has to choose. */
      doubt: z.boolean(),
      /** Whether it has dates such as 04/01/1981. */
      slashes: z.boolean(),
    }),
  ),
  /** What a column may hold; `required`: a new account needs it; `date`: it has days. */
  targets: z.array(z.strictObject({ id: z.string(), title: z.string(), required: z.boolean(), date: z.boolean() })),
  /** The choices of the caller's last import; null before the first one. */
  kept: z.strictObject({ by: z.enum(importKeys), mode: z.enum(importModes), sendLinks: z.boolean() }).nullable(),
  /** With what to begin: the choices of the last import, as far as they fit this file. */
  choices: z.strictObject({ by: z.enum(importKeys), mode: z.enum(importModes), sendLinks: z.boolean() }),
})
export type ImportColumns = z.output<typeof Columns>

export const readImportColumns = contract({
  ...common,
  name: 'readImportColumns',
  snackbar: 'userImportColumns',
  method: 'POST',
  path: `${path}/columns`,
  summary: 'Reads the columns of a file of accounts (CSV or xlsx), and says what each seems to hold; nothing is stored',
  body: z.strictObject({ file: File, ...wishes }),
  response: Columns,
  errors: fileErrors,
})

const Params = z.record(z.string(), z.union([z.string(), z.number()]))
const RowFault = z.strictObject({
  row: z.number().int(),
  title: z.string(),
  code: z.string(),
  /** `column` is the name of the column at fault, if it is one. */
  params: Params,
  /** The row as it was, without passwords and keys, so that a file of wrong rows can be mended and handed in again. */
  cells: z.array(z.string()),
})

const Preview = z.strictObject({
  total: z.number().int(),
  good: z.number().int(),
  create: z.number().int(),
  update: z.number().int(),
  /** How many rows have nothing that their account lacks. */
  same: z.number().int(),
  /** How many of those that are created get a link, and how many a password that is taken over. */
  links: z.number().int(),
  passwords: z.number().int(),
  /** How many rows have a password for an account that exists; such an account keeps its own. */
  passwordsLeft: z.number().int(),
  /** The same for keys of authenticator apps. */
  apps: z.number().int(),
  appsLeft: z.number().int(),
  /**
   * The first rows that change something, cell by cell: the name of the column, what people read now, and what after.
   */
  rows: z.array(
    z.strictObject({
      row: z.number().int(),
      title: z.string(),
      create: z.boolean(),
      changes: z.array(z.strictObject({ column: z.string(), before: z.string(), after: z.string() })),
    }),
  ),
  /** The names of the columns that the import doesn't use. */
  unused: z.array(z.string()),
  /** The required fields that new accounts need and no column holds, and how many rows are wrong for this alone. */
  lacking: z.strictObject({ titles: z.array(z.string()), rows: z.number().int() }),
  /** One fault of each wrong row, of the first thousand; those that only lack a column come last. */
  faults: z.array(RowFault),
  /** The names of the columns of `cells`. */
  head: z.array(z.string()),
})
export type ImportPreview = z.output<typeof Preview>

export const checkUserImport = contract({
  ...common,
  name: 'checkUserImport',
  snackbar: 'userImportCheck',
  method: 'POST',
  path: `${path}/check`,
  summary: 'Checks a file of accounts row by row; nothing is stored',
  body: z.strictObject(plan),
  response: Preview,
  errors: planErrors,
})

const calls = batchContracts(common, path, { one: 'UserImport', many: 'UserImports', snackbar: 'userImport' })

export const startUserImport = contract({
  ...common,
  name: 'startUserImport',
  snackbar: 'userImportStart',
  method: 'POST',
  path,
  summary:
    'Creates and updates the accounts of a file as a run; wrong rows, and those whose account holds more than the caller, are left out and kept as faults',
  body: z.strictObject(plan),
  response: z.strictObject({ id: Id }),
  errors: { ...planErrors, userImportNothing: 400, runRunning: 409 },
})

export const listUserImports = calls.list('The newest imports of accounts that the caller has started')
export const readUserImport = calls.read('An import of accounts: how far it is, and its first faults')
export const stopUserImport = calls.stop('Stops an import of accounts; no row is written after the answer')
export const resumeUserImport = calls.resume('Lets a stopped import of accounts go on')
export const readUserImportFaults = calls.faults('The rows that were not written, as CSV with the reason')
