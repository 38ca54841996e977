import type { z } from 'zod'
import { AppError } from './errors'
import { parseOrThrow, readQuery } from './http/read'

/** What Next gives a page as `searchParams`. */
export type PageSearch = Record<string, string | string[] | undefined>

/** Where a list stands: its path and its whole query, without the question mark. Plain data, so it crosses to the browser. */
export type ListAddress = { path: string; search: string }

/**
 * Reads a list's address on the server: the query by the contract's `listQuery`, and the address for links.
 * An address that the contract refuses counts as the bare list, so that an old bookmark still opens a page.
 */
export function readListAddress<S extends z.ZodType>(
  schema: S,
  path: string,
  searchParams: PageSearch,
): { query: z.output<S>; address: ListAddress } {
  const search = new URLSearchParams(
    Object.entries(searchParams).flatMap(([name, value]) =>
      // a form sends its empty fields too
      [value ?? []].flat().flatMap((one): [string, string][] => (one === '' ? [] : [[name, one]])),
    ),
  )
  try {
    return { query: parseOrThrow(schema, readQuery(search)), address: { path, search: search.toString() } }
  } catch (error) {
    if (error instanceof AppError) return { query: parseOrThrow(schema, {}), address: { path, search: '' } }
    throw error
  }
}

/** The same list at its beginning: without page and cursor. */
export function beginningOf({ path, search }: ListAddress): string {
  const rest = new URLSearchParams(search)
  for (const name of ['page', 'after', 'before']) rest.delete(`meta[${name}]`)
  return rest.size > 0 ? `${path}?${rest}` : path
}
