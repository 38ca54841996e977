import { z } from 'zod'
import { contract, Id, line } from '@/lib/kernel/http/contract'

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
