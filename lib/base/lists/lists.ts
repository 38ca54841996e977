import { z } from 'zod'
import { pageSizes } from './page-sizes'

export const defaultPageSize = 20

export type ListInput<Filter, Sort extends string> = {
  page: number
  /** By default the page size of the person, else 20. */
  perPage: number | undefined
  filter: Filter
  sortBy: Sort
  sort: 'asc' | 'desc'
  /** Cursors, for lists that use them: the page after a row, or the page before it. */
  after?: string | undefined
  before?: string | undefined
  /** Only the row with this id. Pages set it; an address can't. */
  only?: string | undefined
}

/** A filter with one value or several, as `filter[x]=1&filter[x]=2`; the result is always a list. */
export const many = <S extends z.ZodType>(schema: S, max = 50) =>
  z.union([z.array(schema).min(1).max(max), schema.transform((value) => [value])])

/** A filter that is `true` or `false`. */
export const yesNoFilter = () => z.enum(['true', 'false']).transform((value) => value === 'true')

/** A cursor in an address. Only the list that made it can check it. */
const Cursor = z.string().regex(/^[\w.-]{1,4096}$/, 'errorCursor')

const page = z.coerce.number().int().min(1).max(1_000_000).optional()
const perPage = z.coerce.number().pipe(z.literal(pageSizes)).optional()
const PageQuery = z.strictObject({ page, perPage })
const CursorQuery = z
  .strictObject({ page, perPage, after: Cursor.optional(), before: Cursor.optional() })
  .superRefine(({ page, after, before }, check) => {
    if ([page, after, before].filter((place) => place !== undefined).length > 1)
      check.addIssue({ code: 'custom', message: 'errorFormat', path: [after === undefined ? 'before' : 'after'] })
  })

type PageMeta = Partial<Pick<ListInput<unknown, string>, 'page' | 'perPage' | 'after' | 'before'>>

/**
 * Returns the schema of the query of a list call (docs/rules/rest.md#lists): `meta[page]`, `meta[perPage]`,
 * `filter[...]`, `sortBy`, `sort`; with `cursor` also `meta[after]` or `meta[before]` in place of a page. Other
 * parameters answer 400.
 */
export function listQuery<F extends z.ZodRawShape, const S extends readonly [string, ...string[]]>({
  filters,
  sorts,
  defaultSort,
  cursor = false,
}: {
  filters: F
  sorts: S
  defaultSort: { by: S[number]; order: 'asc' | 'desc' }
  cursor?: boolean
}) {
  return z
    .strictObject({
      meta: ((cursor ? CursorQuery : PageQuery) as z.ZodType<PageMeta, Record<string, unknown>>).optional(),
      filter: z.strictObject(filters).optional(),
      sortBy: z.enum(sorts).optional(),
      sort: z.enum(['asc', 'desc']).optional(),
    })
    .transform(({ meta, filter, sortBy, sort }) => ({
      page: meta?.page ?? 1,
      perPage: meta?.perPage,
      after: meta?.after,
      before: meta?.before,
      only: undefined as string | undefined,
      filter: (filter ?? {}) as z.output<z.ZodObject<F>>,
      sortBy: (sortBy ?? defaultSort.by) as S[number],
      sort: sort ?? (sortBy === undefined || sortBy === defaultSort.by ? defaultSort.order : 'asc'),
    }))
}

/** A number that is counted up to a limit: with `more` the actual number is `count` or higher. */
export const Counted = z.strictObject({ count: z.number().int(), more: z.boolean() })
export type Counted = z.output<typeof Counted>

/** The `meta` in a list's answer. */
export const ListMeta = z.strictObject({
  page: z.number().int(),
  perPage: z.number().int(),
  total: z.number().int(),
  pages: z.number().int(),
})

/** The `meta` in the answer of a list with cursors. */
export const CursorMeta = z.strictObject({
  perPage: z.number().int(),
  /** Present on the first page and on pages that were requested by number; `pages` if rows are counted. */
  page: z.number().int().optional(),
  pages: z.number().int().optional(),
  total: z.number().int().optional(),
  /** There are more than `total`: counting stopped there. */
  more: z.boolean().optional(),
  /** The values for `meta[after]` and `meta[before]`; null where no row follows or precedes. */
  after: z.string().nullable(),
  before: z.string().nullable(),
})
export type CursorMeta = z.output<typeof CursorMeta>
