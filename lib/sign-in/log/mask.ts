import type { IdAttributeName } from '@/lib/base/context/ctx'

const hidden = '•••'
const first = (text: string) => [...text][0] ?? ''

/**
 * Returns the visible part of a normalized identifier, without its length, because a person may have typed a password
 * in its place: `i•••`, `i•••@p•••.ru`, `+7•••67`.
 */
export function maskOf(kind: IdAttributeName, identifier: string): string {
  if (kind === 'mobile') return `${identifier.slice(0, 2)}${hidden}${identifier.slice(-2)}`
  if (kind === 'login') return `${first(identifier)}${hidden}`
  const [local = '', domain = ''] = identifier.split('@')
  return `${first(local)}${hidden}@${first(domain)}${hidden}.${domain.split('.').at(-1)}`
}
