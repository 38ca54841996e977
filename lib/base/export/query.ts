import { z } from 'zod'

/** The types of an exported list, by their `format` in an address. */
export const exportTypes = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
} as const
export type ExportFormat = keyof typeof exportTypes

/**
 * Returns the schema of the query of an export (docs/rules/rest.md#exports): `format`, and the filters and sorting of
 * its list without a page. The parsed value is `{ format, list }`, where `list` is the input of the list's query. With
 * `defaultFormat` the format may be absent.
 */
export const exportQuery = <F extends z.ZodRawShape, const S extends readonly [string, ...string[]]>(
  {
    filters,
    sorts,
    defaultSort,
  }: {
    filters: F
    sorts: S
    defaultSort: { by: S[number]; order: 'asc' | 'desc' }
  },
  defaultFormat?: ExportFormat,
) =>
  z
    .strictObject({
      format: z.preprocess((value) => value ?? defaultFormat, z.enum(['xlsx', 'csv'])),
      filter: z.strictObject(filters).optional(),
      sortBy: z.enum(sorts).optional(),
      sort: z.enum(['asc', 'desc']).optional(),
    })
    .transform(({ format, filter, sortBy, sort }) => ({
      format,
      list: {
        page: 1,
        perPage: 500 as number | undefined,
        after: undefined as string | undefined,
        before: undefined as string | undefined,
        only: undefined as string | undefined,
        filter: (filter ?? {}) as z.output<z.ZodObject<F>>,
        sortBy: (sortBy ?? defaultSort.by) as S[number],
        sort: sort ?? (sortBy === undefined || sortBy === defaultSort.by ? defaultSort.order : ('asc' as const)),
      },
    }))
