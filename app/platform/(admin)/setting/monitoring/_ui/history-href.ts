import type { ListAddress } from '@/lib/base/lists/list-address'

/** Returns the address of the list with the history of a check below it. */
export function historyHref({ path, search }: ListAddress, id: string, hours?: number): string {
  const parameters = new URLSearchParams(search)
  parameters.set('open', id)
  if (hours) parameters.set('hours', String(hours))
  return `${path}?${parameters}#check-history`
}
