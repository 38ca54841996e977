import type { ListAddress } from '@/lib/base/lists/list-address'

/** Returns the path of an export with the filters and the sorting of its list, and without the page. */
export function exportPath(path: string, { search }: Pick<ListAddress, 'search'>, format: string): string {
  const parameters = new URLSearchParams(search)
  const exported = [...parameters].filter(
    ([name]) => name.startsWith('filter[') || name === 'sortBy' || name === 'sort',
  )
  return `${path}?${new URLSearchParams([['format', format], ...exported])}`
}
