import type { ListAddress } from '@/lib/kernel/list-address'

export type ListChange = {
  /** `null` or an empty list removes a filter; the others stay. */
  filter?: Record<string, string | readonly string[] | null>
  sort?: { by: string; order: 'asc' | 'desc' }
  page?: number
  /** Cursors: the page after, or before, the cursor's row. */
  after?: string
  before?: string
  perPage?: number
  /** Removes all filters first. */
  reset?: boolean
}

const isFilter = (name: string) => name.startsWith('filter[')

/** The address of a list with something changed. A change that affects the rows starts at the first page. */
export function listHref(
  { path, search }: ListAddress,
  { filter, sort, page, after, before, perPage, reset }: ListChange,
): string {
  const next = new URLSearchParams(search)
  for (const place of ['page', 'after', 'before']) next.delete(`meta[${place}]`)
  if (reset) for (const name of [...next.keys()].filter(isFilter)) next.delete(name)
  for (const [name, value] of Object.entries(filter ?? {})) {
    next.delete(`filter[${name}]`)
    for (const one of [value ?? []].flat()) if (one !== '') next.append(`filter[${name}]`, one)
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

/** A filter's values in the address. */
export const filterValues = ({ search }: ListAddress, name: string): string[] =>
  new URLSearchParams(search).getAll(`filter[${name}]`)

/** Whether anything is filtered at all. */
export const isFiltered = ({ search }: ListAddress): boolean => [...new URLSearchParams(search).keys()].some(isFilter)
