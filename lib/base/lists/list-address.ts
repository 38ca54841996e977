import type { z } from 'zod'
import { Id } from '../contracts/contract'
import { parseOrThrow, readQuery } from '../http/read'
import { AppError } from '../runtime/errors'

/** The `searchParams` that Next passes to a page. */
export type PageSearch = Record<string, string | string[] | undefined>

/**
 * The address of a list: its path, and its whole query without the question mark. Plain data, so the server can pass it
 * to the browser.
 */
export type ListAddress = {
  path: string
  search: string
  /** The id of the row that was just created. The links of the list don't have it. */
  created?: string
}

/**
 * The parameters of a list's address that only the page uses: `created` is a new row's id, `create` opens its dialog.
 */
const pageParameters = ['created', 'create']

/**
 * Reads the address of a list on the server. Returns the query, parsed by the `listQuery` of the contract, and the
 * address for links. If the contract refuses the query, returns the list without a query, so that an old bookmark still
 * opens a page.
 */
export function readListAddress<S extends z.ZodType>(
  schema: S,
  path: string,
  searchParams: PageSearch,
): { query: z.output<S>; address: ListAddress } {
  const search = new URLSearchParams(
    Object.entries(searchParams).flatMap(([name, value]) =>
      // a form sends empty fields too
      [value ?? []].flat().flatMap((item): [string, string][] => (item === '' ? [] : [[name, item]])),
    ),
  )
  const { data: created } = Id.safeParse(search.get('created'))
  for (const name of pageParameters) search.delete(name)
  const addressWithoutQuery = { path, ...(created ? { created } : {}) }
  try {
    return {
      query: parseOrThrow(schema, readQuery(search)),
      address: { ...addressWithoutQuery, search: search.toString() },
    }
  } catch (error) {
    if (error instanceof AppError)
      return { query: parseOrThrow(schema, {}), address: { ...addressWithoutQuery, search: '' } }
    throw error
  }
}

/** Returns the address of the first page of the list: without page and cursor. */
export function beginningOf({ path, search }: ListAddress): string {
  const remaining = new URLSearchParams(search)
  for (const name of ['page', 'after', 'before']) remaining.delete(`meta[${name}]`)
  return remaining.size > 0 ? `${path}?${remaining}` : path
}
