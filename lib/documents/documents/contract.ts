import { z } from 'zod'
import { contract, Id, LatinCode, line, lines, requiredLine } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { ListMeta, listQuery, many, yesNoFilter } from '@/lib/base/lists/lists'
import { isTooTangled } from '@/lib/base/markup/markup-limits'

/** A document's text in one language (docs/rules/agreements.md#documents). */
export const DocumentView = z.strictObject({
  locale: z.string(),
  name: z.string(),
  content: z.string(),
  format: z.enum(['md', 'html']),
})
export type DocumentView = z.output<typeof DocumentView>

export const viewDocument = contract({
  name: 'viewDocument',
  method: 'GET',
  path: '/documents/view/{id}',
  summary: 'An enabled document by its id or code, in every language that it has',
  tag: 'documents',
  access: 'public',
  params: z.strictObject({ id: requiredLine(64) }),
  /** The current version by default; also an earlier one that people agreed to. */
  query: z.strictObject({
    version: z.coerce.number({ error: 'errorFormat' }).int('errorFormat').min(1, 'errorRange').optional(),
  }),
  response: z.strictObject({ documents: z.array(DocumentView) }),
  errors: { notFound: 404 },
})

export const DocumentContent = lines(200_000)
  .min(1, 'errorEmpty')
  .refine((text) => !isTooTangled(text), 'errorTooTangled')

const DocumentText = z.strictObject({
  localeId: Id,
  name: requiredLine(200),
  /** The text of links to it. */
  linkName: requiredLine(200),
  content: DocumentContent,
})
export type DocumentText = z.output<typeof DocumentText>

const DocumentInput = z.strictObject({
  /** Part of its address; by default made from the name. */
  code: LatinCode.optional(),
  type: z.enum(['agreement', 'document'], 'errorFormat'),
  /** Whether domains may choose it. */
  adminVisible: z.boolean('errorFormat').default(true),
  format: z.enum(['md', 'html'], 'errorFormat').default('md'),
  locales: z
    .array(DocumentText)
    .min(1, 'errorEmpty')
    .max(50, 'errorTooMany')
    .superRefine((texts, check) => {
      for (const [at, { localeId }] of texts.entries())
        if (texts.findIndex((other) => other.localeId === localeId) < at)
          check.addIssue({ code: 'custom', message: 'errorDuplicateLocale', path: [at, 'localeId'] })
    }),
})
export type DocumentInput = z.output<typeof DocumentInput>

const DocumentRow = z.strictObject({
  id: Id,
  enabled: z.boolean(),
  code: z.string(),
  type: z.enum(['agreement', 'document']),
  adminVisible: z.boolean(),
  format: z.enum(['md', 'html']),
  version: z.number().int(),
  /** In the reader's language, if it has it. */
  name: z.string(),
  /** The codes of the languages of its current version. */
  languages: z.array(z.string()),
  /** The number of domains that show it. */
  domainsCount: z.number().int(),
  date: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type DocumentRow = z.output<typeof DocumentRow>

export const DocumentQuery = listQuery({
  filters: {
    search: line(100).optional(),
    type: z.enum(['agreement', 'document']).optional(),
    enabled: yesNoFilter().optional(),
    adminVisible: yesNoFilter().optional(),
    locale: Id.optional(),
  },
  sorts: ['name', 'code', 'date', 'updatedAt'],
  defaultSort: { by: 'date', order: 'desc' },
})

const calls = areaCalls('libraries', '/setting/documents', {
  one: 'Document',
  many: 'Documents',
  snackbar: 'documents',
})
const writes = { bodyLimit: 8 * 1024 * 1024, errors: { errorUnique: 400, errorLocale: 400 } }

export const listDocuments = calls.list({
  summary: 'Documents and agreements, the newest first; `filter[locale]` finds those with a text in a language',
  query: DocumentQuery,
  response: z.strictObject({ documents: z.array(DocumentRow), meta: ListMeta }),
})

export const readDocument = calls.read({
  summary: 'A document with the texts of its current version',
  response: DocumentRow.extend({ locales: z.array(DocumentText) }),
})
export type DocumentCard = z.output<typeof readDocument.response>

export const createDocument = calls.create({
  summary: 'Creates a document; by default its code is made from the name',
  body: DocumentInput.extend({ enabled: z.boolean('errorFormat').default(true) }),
  response: z.strictObject({ id: Id, code: z.string() }),
  ...writes,
})

export const updateDocument = calls.update({
  summary: 'Replaces a document; with `agreeAgain` its version rises and people must agree again',
  body: DocumentInput.extend({
    code: LatinCode,
    /** Only for an agreement: its texts become a new version. */
    agreeAgain: z.boolean('errorFormat').default(false),
    ...readVersion,
  }).refine(({ type, agreeAgain }) => type === 'agreement' || !agreeAgain, {
    path: ['agreeAgain'],
    message: 'errorNotAgreement',
  }),
  ...writes,
  errors: { ...writes.errors, errorUsedAs: 400 },
})

export const deleteDocument = calls.remove({
  summary: 'Deletes a document that no domain uses and nobody has agreed to',
  errors: { documentUsed: 409, documentAgreed: 409 },
})

export const enableDocument = calls.enable({ summary: 'Shows a document to everybody, or to nobody' })

export const searchDocuments = contract({
  tag: 'documents',
  name: 'searchDocuments',
  access: { areas: ['libraries', 'domains'] },
  method: 'GET',
  path: '/setting/documents/search',
  summary:
    'Up to 50 documents for a choice: by part of the name or the code, or these ids; those that domains may choose',
  query: z.strictObject({
    searchValue: line(100).optional(),
    ids: many(Id, 100).optional(),
    type: z.enum(['agreement', 'document']).optional(),
  }),
  response: z.strictObject({
    documents: z.array(
      DocumentRow.pick({ id: true, code: true, name: true, type: true, enabled: true }).extend({
        /** Its name in the footer and beside the checkbox. */
        linkName: z.string(),
      }),
    ),
  }),
})
