import { z } from 'zod'
import { contract, requiredLine } from '@/lib/kernel/http/contract'

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
  /** Also an earlier version, which people agreed to; by default the current one. */
  query: z.strictObject({
    version: z.coerce.number({ error: 'errorFormat' }).int('errorFormat').min(1, 'errorRange').optional(),
  }),
  response: z.strictObject({ documents: z.array(DocumentView) }),
  errors: { notFound: 404 },
})
