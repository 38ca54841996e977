import type { ListAddress } from '@/lib/base/lists/list-address'

export type ListChange = {
  /** Filters to set; `null` or an empty list removes one. The other filters stay. */
  filter?: Record<string, string | readonly string[] | null>
  sort?: { by: string; order: 'asc' | 'desc' }
  page?: number
  /** Cursors: the page after, or before, the row of the cursor. */
  after?: string
  before?: string
  perPage?: number
  /** Removes all filters first. */
  reset?: boolean
}

const isFilter = (name: string) => name.startsWith('filter[')

/** Returns the address of a list with a change. A change of the filters, sort or size starts at the first page. */
export function listHref(
  { path, search }: ListAddress,
  { filter, sort, page, after, before, perPage, reset }: ListChange,
): string {
  const next = new URLSearchParams(search)
  for (const place of ['page', 'after', 'before']) next.delete(`meta[${place}]`)
  if (reset) for (const name of [...next.keys()].filter(isFilter)) next.delete(name)
  for (const [name, value] of Object.entries(filter ?? {})) {
    next.delete(`filter[${name}]`)
    for (const each of [value ?? []].flat()) if (each !== '') next.append(`filter[${name}]`, each)
  }
  if (sort) {
    next.set('sortBy', sort.by)
    next.set('sort', sort.order)
  }
  if (perPage) next.set('meta[perPage]', String(perPage))
  if (page && page > 1) next.set('meta[page]', String(page))
  if (after) next.set('meta[after]', after)
  if (before) next.set('meta[before]', before)
  return next.size > 0 ? `${path}?${next}` : path
}

/** Returns the values of a filter in the address. */
export const filterValues = ({ search }: ListAddress, name: string): string[] =>
  new URLSearchParams(search).getAll(`filter[${name}]`)

/** Returns whether any filter or the search is active. */
export const isFiltered = ({ search }: ListAddress): boolean => [...new URLSearchParams(search).keys()].some(isFilter)

/** Returns whether a list is empty without any search or filter, and not only on this page. */
export const hasNothing = (
  address: ListAddress,
  { total, before, after }: { total?: number | undefined; before?: string | null; after?: string | null },
): boolean => !total && !before && !after && !isFiltered(address)

/** Returns the search text of a list, if there is one, and whether other filters are active. */
export function narrowedBy(address: ListAddress): { search: string | undefined; filters: boolean } {
  const names = [...new URLSearchParams(address.search).keys()].filter(isFilter)
  return { search: filterValues(address, 'search')[0], filters: names.some((name) => name !== 'filter[search]') }
}
