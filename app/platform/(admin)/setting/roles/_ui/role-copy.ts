import type { Method, Role, RoleInput } from '@/lib/access/roles/contract'
import { groupMethods, type MethodGroup } from './method-groups'

/**
 * Returns the first values of a new role: those of another one, under another name, as far as the reader may give its
 * methods; without another one, empty values. Holders, code, second name and the shipped flag aren't copied
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

/** Returns the methods that only the first and only the second role has, by area and application. */
export function differences(first: Compared, second: Compared, locale: string): [MethodGroup[], MethodGroup[]] {
  const methodsMissingIn = ({ methods }: Compared, lacking: Compared) => {
    const lackingMethods = new Set(lacking.methods.map(({ id }) => id))
    return groupMethods(
      methods.filter(({ id }) => !lackingMethods.has(id)),
      locale,
    )
  }
  return [methodsMissingIn(first, second), methodsMissingIn(second, first)]
}
