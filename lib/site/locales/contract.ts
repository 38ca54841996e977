import { z } from 'zod'
import { contract, Id, line, requiredLine } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { ListMeta, listQuery, yesNoFilter } from '@/lib/base/lists/lists'

export const searchLocales = contract({
  name: 'searchLocales',
  method: 'GET',
  path: '/locales/search',
  summary: 'The platform’s enabled locales, by name; those whose name or code contains `searchValue`, or by `ids`',
  tag: 'start-up',
  access: 'public',
  query: z.strictObject({
    searchValue: line(100).optional(),
    ids: z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(Id).max(100)).optional(),
  }),
  response: z.strictObject({
    locales: z.array(z.strictObject({ id: z.string(), code: z.string(), name: z.string() })),
  }),
})

/** A language as browsers name it: `kk`, `be`. */
const LocaleCode = requiredLine(8).regex(/^[a-z]{2,3}$/, 'errorLocaleCode')

const LocaleInput = z.strictObject({
  /** In the language itself: “Қазақша”. */
  name: requiredLine(64),
  code: LocaleCode,
})

const Locale = z.strictObject({
  id: Id,
  name: z.string(),
  code: z.string(),
  enabled: z.boolean(),
  /** A shipped language: it can't be deleted, and its code can't change. */
  immutable: z.boolean(),
  /** How many domains offer it. */
  domainsCount: z.number().int(),
  updatedAt: z.iso.datetime(),
})
export type Locale = z.output<typeof Locale>

export const LocaleQuery = listQuery({
  filters: { search: line(100).optional(), enabled: yesNoFilter().optional() },
  sorts: ['name', 'code', 'updatedAt'],
  defaultSort: { by: 'name', order: 'asc' },
})

const calls = areaCalls('libraries', '/setting/locales', { one: 'Locale', many: 'Locales', snackbar: 'locale' })

export const listLocales = calls.list({
  summary: 'The languages in which domains may speak to people',
  query: LocaleQuery,
  response: z.strictObject({ locales: z.array(Locale), meta: ListMeta }),
})

export const createLocale = calls.create({
  summary: 'Adds a language, by default an enabled one; domains offer it once they have it',
  body: LocaleInput.extend({ enabled: z.boolean({ error: 'errorFormat' }).default(true) }),
  errors: { errorUnique: 400 },
})

export const updateLocale = calls.update({
  summary: 'Renames a language; with `updatedAt` as read only if nobody saved it meanwhile',
  body: LocaleInput.extend(readVersion),
  errors: { errorUnique: 400, errorImmutable: 400 },
})

export const deleteLocale = calls.remove({
  summary: 'Deletes a language that is not shipped, that no domain offers and no document has',
  errors: { localeImmutable: 409, localeUsed: 409 },
})

export const enableLocale = calls.enable({
  summary: 'Offers a language on the domains that have it, or on none',
  errors: { localeLast: 409 },
})
