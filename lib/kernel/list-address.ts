import type { z } from 'zod'
import { AppError } from './errors'
import { parseOrThrow, readQuery } from './http/read'

/** The `searchParams` that Next passes to a page. */
export type PageSearch = Record<string, string | string[] | undefined>

/**
 * The address of a list: its path, and its whole query without the question mark. Plain data, so the server can pass it
 * to the browser.
 */
export type ListAddress = { path: string; search: string }

/**
 * Reads the address of a list on the server. Returns the query by the `listQuery` of the contract, and the address for
 * links. An address that the contract refuses is read as the list without a query, so that an old bookmark still opens
 * a page.
 */
export function readListAddress<S extends z.ZodType>(
  schema: S,
  path: string,
  searchParams: PageSearch,
): { query: z.output<S>; address: ListAddress } {
  const search = new URLSearchParams(
    Object.entries(searchParams).flatMap(([name, value]) =>
      // a form sends empty fields too
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

/** Returns the address of the beginning of the list: without page and cursor. */
export function beginningOf({ path, search }: ListAddress): string {
  const rest = new URLSearchParams(search)
  for (const name of ['page', 'after', 'before']) rest.delete(`meta[${name}]`)
  return rest.size > 0 ? `${path}?${rest}` : path
}
