import { z } from 'zod'

export const pageSizes = [10, 20, 50, 100] as const
export const defaultPageSize = 20

export type ListInput<Filter, Sort extends string> = {
  page: number
  /** Undefined: the person's own page size, else 20. */
  perPage: number | undefined
  filter: Filter
  sortBy: Sort
  sort: 'asc' | 'desc'
  /** Cursors of a list that takes them: the page after the row that one stands for, or the page before it. */
  after?: string | undefined
  before?: string | undefined
}

/** A filter that takes one value or several, as `filter[x]=1&filter[x]=2`; gives a list either way. */
export const many = <S extends z.ZodType>(one: S, max = 50) =>
  z.union([z.array(one).min(1).max(max), one.transform((value) => [value])])

/** A filter that is yes or no: `true` or `false` in the address. */
export const yesNo = () => z.enum(['true', 'false']).transform((value) => value === 'true')

/** A cursor as it comes in an address; only the list that gave it can tell whether it is one of its own. */
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
 * The query of a list call (docs/rules/rest.md#lists): `meta[page]`, `meta[perPage]`, `filter[...]`, `sortBy`, `sort`;
 * with `cursor`, `meta[after]` or `meta[before]` in place of a page. Whatever isn't named here is refused with 400.
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
      filter: (filter ?? {}) as z.output<z.ZodObject<F>>,
      sortBy: (sortBy ?? defaultSort.by) as S[number],
      sort: sort ?? (sortBy === undefined || sortBy === defaultSort.by ? defaultSort.order : 'asc'),
    }))
}

/** The `meta` of every list's answer. */
export const ListMeta = z.strictObject({
  page: z.number().int(),
  perPage: z.number().int(),
  total: z.number().int(),
  pages: z.number().int(),
})

/** The `meta` of an answer of a list by cursor. */
export const CursorMeta = z.strictObject({
  perPage: z.number().int(),
  /** Of a page that was asked for by its number, or as the first one. */
  page: z.number().int().optional(),
  pages: z.number().int().optional(),
  total: z.number().int().optional(),
  /** There are more than `total`: counting stopped there. */
  more: z.boolean().optional(),
  /** What `meta[after]` takes to go on, `meta[before]` to go back; null where nothing follows or stands before. */
  after: z.string().nullable(),
  before: z.string().nullable(),
})
export type CursorMeta = z.output<typeof CursorMeta>
