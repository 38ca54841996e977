import type { ListAddress, PageSearch } from '@/lib/base/lists/list-address'

/** Returns the address of a list in a tab, with the tab as parameter, so that the list's links stay in it. */
export function inTab(address: ListAddress, tab: string): ListAddress {
  const search = new URLSearchParams(address.search)
  search.set('tab', tab)
  return { ...address, search: search.toString() }
}

/** Returns the query of a page's address, with its question mark; empty if there is none. */
export function wholeSearch(search: PageSearch): string {
  const parameters = new URLSearchParams(
    Object.entries(search).flatMap(([key, value]) => [value ?? []].flat().map((text): [string, string] => [key, text])),
  )
  return parameters.size > 0 ? `?${parameters}` : ''
}
