import type { Method, Role, RoleInput } from '@/lib/access/roles/contract'
import { groupMethods, type MethodGroup } from './method-groups'

/**
 * Returns what a new role begins with: that of another one, under another name, as far as the reader may grant its
 * methods; without another one nothing. Holders, code, second name and being shipped aren't copied
 * (docs/rules/access.md#changing-roles).
 */
export const copyOf = (
  role: Pick<Role, 'comment' | 'commentEn' | 'roleType' | 'methods'> | null,
  name: string,
): Required<RoleInput> => ({
  name: name.slice(0, 100),
  nameEn: '',
  comment: role?.comment ?? '',
  commentEn: role?.commentEn ?? '',
  roleType: role?.roleType ?? 'systemic',
  methods: role?.methods.flatMap(({ id, grantable }) => (grantable ? [id] : [])) ?? [],
})

type Compared = { methods: readonly Method[] }

/** Returns the methods that each of two roles has and the other one hasn't, by area and application. */
export function differences(one: Compared, other: Compared, locale: string): [MethodGroup[], MethodGroup[]] {
  const beyond = ({ methods }: Compared, without: Compared) => {
    const had = new Set(without.methods.map(({ id }) => id))
    return groupMethods(
      methods.filter(({ id }) => !had.has(id)),
      locale,
    )
  }
  return [beyond(one, other), beyond(other, one)]
}
