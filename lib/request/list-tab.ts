import type { ListAddress, PageSearch } from '@/lib/base/lists/list-address'

/** Returns the address of a list that a tab shows, so that its links stay in the tab. */
export function inTab(address: ListAddress, tab: string): ListAddress {
  const search = new URLSearchParams(address.search)
  search.set('tab', tab)
  return { ...address, search: search.toString() }
}

/** Returns the query of a page's address, with its question mark; empty if there is none. */
export function wholeSearch(search: PageSearch): string {
  const whole = new URLSearchParams(
    Object.entries(search).flatMap(([key, value]) => [value ?? []].flat().map((one): [string, string] => [key, one])),
  )
  return whole.size > 0 ? `?${whole}` : ''
}
