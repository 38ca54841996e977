import type { ListAddress } from '@/lib/kernel/list-address'

/** Returns the address of a list that a tab shows, so that its links stay in the tab. */
export function inTab(address: ListAddress, tab: string): ListAddress {
  const search = new URLSearchParams(address.search)
  search.set('tab', tab)
  return { ...address, search: search.toString() }
}
