import type { ListAddress } from '@/lib/base/lists/list-address'

/** Returns the address of the list with the history of a check below it. */
export function historyHref({ path, search }: ListAddress, id: string, hours?: number): string {
  const all = new URLSearchParams(search)
  all.set('open', id)
  if (hours) all.set('hours', String(hours))
  return `${path}?${all}#check-history`
}
