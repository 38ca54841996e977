import { z } from 'zod'
import { contract, line } from '@/lib/base/contracts/contract'
import { file, fileAnswer } from '@/lib/base/contracts/file'

const path = '/setting/configuration'
const common = { tag: 'settings', access: { area: 'settings' } } as const

const Passphrase = line(200)

/** One object that differs between the file and the stored configuration. */
const Change = z.strictObject({
  /** The kind of object, such as `banners`. */
  section: z.string(),
  /** Its code, or what stands for one. */
  key: z.string(),
  kind: z.enum(['create', 'update', 'delete']),
  /** The differing fields, as text; secrets are `***`, and null is nothing. */
  fields: z.array(z.strictObject({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
})
export type Change = z.output<typeof Change>

/** What somebody has to do after an import: enter a secret that the file doesn't have, or hand out a new one. */
const Note = z.strictObject({
  section: z.string(),
  key: z.string(),
  code: z.enum(['secretMissing', 'secretNew', 'actorMissing', 'webhookOff', 'addressHidden', 'addressMasked']),
})
export type Note = z.output<typeof Note>

const Outcome = z.strictObject({
  changes: z.array(Change),
  notes: z.array(Note),
  /**
   * A hash of the stored configuration and the file: an import with it makes the changes that were shown, or answers
   * 409.
   */
  version: z.string(),
})
export type Outcome = z.output<typeof Outcome>

const Upload = z.strictObject({
  file: file({ types: ['application/json'], max: 16 * 1024 ** 2 }),
  passphrase: Passphrase.optional(),
  /** `true` deletes what the file doesn't have. */
  prune: z.enum(['true', 'false']).default('false'),
})
const errors = { configurationRefused: 400, forbiddenConfiguration: 403 } as const

export const exportConfiguration = contract({
  ...common,
  name: 'exportConfiguration',
  method: 'GET',
  path,
  summary:
    'What administrators set, as far as the caller sees it, as JSON without secrets; the same gives the same bytes',
  response: fileAnswer({ types: ['application/json'] }),
})

export const exportSealedConfiguration = contract({
  ...common,
  name: 'exportSealedConfiguration',
  snackbar: 'configurationExport',
  method: 'POST',
  path: `${path}/sealed`,
  summary:
    'The same with secrets, sealed with a passphrase; it stands in the history, as each reading of a secret does',
  body: z.strictObject({ passphrase: Passphrase.min(12, 'errorConfigurationPassphraseShort') }),
  /** The text of the file: only GET answers with a file, and a passphrase must not be in an address. */
  response: z.strictObject({ configuration: z.string() }),
  sensitive: true,
})

export const compareConfiguration = contract({
  ...common,
  name: 'compareConfiguration',
  snackbar: 'configurationDifference',
  method: 'POST',
  path: `${path}/difference`,
  summary: 'What an import of this file would create, change and delete; changes nothing',
  body: Upload,
  response: Outcome,
  errors,
  sensitive: true,
})

export const importConfiguration = contract({
  ...common,
  name: 'importConfiguration',
  snackbar: 'configurationImport',
  method: 'POST',
  path: `${path}/import`,
  summary: 'Imports a file, all or nothing; with the `version` of the difference only if both are as they were shown',
  body: Upload.extend({ version: line(100).optional() }),
  response: Outcome,
  errors: { ...errors, conflict: 409 },
  sensitive: true,
})
