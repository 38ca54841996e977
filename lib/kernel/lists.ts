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
}

/** A filter that takes one value or several, as `filter[x]=1&filter[x]=2`; gives a list either way. */
export const many = <S extends z.ZodType>(one: S, max = 50) =>
  z.union([z.array(one).min(1).max(max), one.transform((value) => [value])])

/** A filter that is yes or no: `true` or `false` in the address. */
export const yesNo = () => z.enum(['true', 'false']).transform((value) => value === 'true')

/**
 * The query of a list call (decisions.md section 5): `meta[page]`, `meta[perPage]`, `filter[...]`, `sortBy`, `sort`.
 * Whatever isn't named here is refused with 400.
 */
export function listQuery<F extends z.ZodRawShape, const S extends readonly [string, ...string[]]>({
  filters,
  sorts,
  defaultSort,
}: {
  filters: F
  sorts: S
  defaultSort: { by: S[number]; order: 'asc' | 'desc' }
}) {
  return z
    .strictObject({
      meta: z
        .strictObject({
          page: z.coerce.number().int().min(1).max(1_000_000).optional(),
          perPage: z.coerce.number().pipe(z.literal(pageSizes)).optional(),
        })
        .optional(),
      filter: z.strictObject(filters).optional(),
      sortBy: z.enum(sorts).optional(),
      sort: z.enum(['asc', 'desc']).optional(),
    })
    .transform(({ meta, filter, sortBy, sort }) => ({
      page: meta?.page ?? 1,
      perPage: meta?.perPage,
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
