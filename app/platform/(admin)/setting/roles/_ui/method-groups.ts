import type { Method } from '@/lib/access/roles/contract'
import { localName } from '@/lib/base/i18n/local-name'

export type MethodGroup = {
  key: string
  /** The area's or the application's name; null for the platform's methods that belong to no area. */
  name: string | null
  application: boolean
  methods: { method: Method; label: string }[]
}

/**
 * Groups methods by area and application. The label of a method is its name; in a group of an area it leaves out the
 * area's name.
 */
export function groupMethods(methods: readonly Method[], locale: string): MethodGroup[] {
  const groups = new Map<string, MethodGroup>()
  for (const method of methods) {
    const name = localName(method, locale)
    const [area, methodName] = name.split(': ')
    const inArea = method.kind === 'systemic' && methodName !== undefined
    const key = method.application?.id ?? (inArea ? (area ?? '') : '')
    const group: MethodGroup = groups.get(key) ?? {
      key,
      name: method.application ? localName(method.application, locale) : inArea ? (area ?? '') : null,
      application: method.application !== null,
      methods: [],
    }
    group.methods.push({
      method,
      label: inArea ? methodName.charAt(0).toLocaleUpperCase(locale) + methodName.slice(1) : name,
    })
    groups.set(key, group)
  }
  const rank = (group: MethodGroup) => (group.application ? 2 : group.name === null ? 1 : 0)
  return [...groups.values()].sort((a, b) => rank(a) - rank(b) || (a.name ?? '').localeCompare(b.name ?? '', locale))
}
