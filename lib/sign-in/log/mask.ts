import type { IdAttributeName } from '@/lib/base/context/ctx'

const hidden = '•••'
const first = (text: string) => [...text][0] ?? ''

/**
 * Returns what may be seen of a normalized identifier, and nothing of its length, because a password may have been typed
 * in its place: `i•••`, `i•••@p•••.ru`, `+7•••67`.
 */
export function maskOf(kind: IdAttributeName, identifier: string): string {
  if (kind === 'mobile') return `${identifier.slice(0, 2)}${hidden}${identifier.slice(-2)}`
  if (kind === 'login') return `${first(identifier)}${hidden}`
  const [local = '', domain = ''] = identifier.split('@')
  return `${first(local)}${hidden}@${first(domain)}${hidden}.${domain.split('.').at(-1)}`
}
