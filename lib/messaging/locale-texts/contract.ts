import { z } from 'zod'
import { contract, Id, line, lines } from '@/lib/base/contracts/contract'
import { fileAnswer } from '@/lib/base/contracts/file'
import { ListMeta, listQuery } from '@/lib/base/lists/lists'

const ofLocale = {
  tag: 'libraries',
  access: { area: 'libraries' },
  path: '/setting/locales/{id}/texts',
  params: z.strictObject({ id: Id }),
} as const

const LocaleText = z.strictObject({
  /** Its place among all texts: `entry.id.title`. */
  key: z.string(),
  /** The shipped text in Russian, which shows the meaning and the arguments. */
  source: z.string(),
  /** The shipped text in this language; null if there is none. */
  shipped: z.string().nullable(),
  /** The own text that administrators wrote; null if people see a shipped text. */
  text: z.string().nullable(),
  /** Changes with the own text. */
  version: z.string(),
})
export type LocaleText = z.output<typeof LocaleText>

export const LocaleTextQuery = listQuery({
  filters: {
    search: line(100).optional(),
    state: z.enum(['own', 'missing']).optional(),
    part: line(64).optional(),
  },
  sorts: ['key'],
  defaultSort: { by: 'key', order: 'asc' },
})

export const listLocaleTexts = contract({
  ...ofLocale,
  name: 'listLocaleTexts',
  method: 'GET',
  summary: 'All texts of the platform with what a language has of each; `missing` are those that it shows in Russian',
  query: LocaleTextQuery,
  response: z.strictObject({ texts: z.array(LocaleText), meta: ListMeta }),
  errors: { notFound: 404 },
})

export const writeLocaleTexts = contract({
  ...ofLocale,
  name: 'writeLocaleTexts',
  method: 'PUT',
  summary:
    'Writes texts of a language, all or none of them; an empty text brings the shipped one back; with `version` as read only if nobody wrote that text meanwhile',
  body: z.strictObject({
    texts: z
      .array(z.strictObject({ key: line(200), text: lines(4000), version: line(64).optional() }))
      .min(1, 'errorEmpty')
      .max(10_000, 'errorTooMany'),
  }),
  response: z.strictObject({ changed: z.number().int() }),
  bodyLimit: 2 * 1024 ** 2,
  snackbar: 'localeTexts',
  errors: {
    errorTextKey: 400,
    errorTextSyntax: 400,
    errorTextTag: 400,
    errorTextNoTag: 400,
    errorTextArgument: 400,
    errorTextKind: 400,
    errorTextLines: 400,
    errorTextRequired: 400,
    errorTextBlank: 400,
    errorTextAddress: 400,
    errorTextAttached: 400,
    errorTextSms: 400,
    errorNamedTwice: 400,
    notFound: 404,
    conflict: 409,
  },
})

export const exportLocaleTexts = contract({
  ...ofLocale,
  path: '/setting/locales/{id}/texts/export',
  name: 'exportLocaleTexts',
  method: 'GET',
  summary: 'All texts of a language as JSON, by key; those that it lacks are empty. Importing it again changes nothing',
  response: fileAnswer({ types: ['application/json'] }),
  errors: { notFound: 404 },
})
