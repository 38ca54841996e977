/** Administration areas: each has a `<area>.read` and a `<area>.write` method. */
export const areas = [
  'applications',
  'domains',
  'device-types',
  'settings',
  'authentication-schemas',
  'dynamic-fields',
  'access-lists',
  'network-aliases',
  'history',
  'monitoring',
  'diagnostics',
  'license',
  'providers',
  'libraries',
  'integration',
  'users',
  'roles',
  'organizations',
  'contractors',
  'sessions',
  'news',
] as const
export type Area = (typeof areas)[number]

/** Methods that belong to no area (docs/rules/access.md#methods). */
const namedMethods = [
  'monitoringNotifyAccess',
  'diagnosticsNotifyAccess',
  'diagnosticsApplicationsNotifyAccess',
  'masterAccountAccess',
  'usersAccess',
] as const

export type SystemicMethod = (typeof namedMethods)[number] | `${Area}.read` | `${Area}.write`

/** Codes of all systemic methods. Permission checks accept only these. */
export const systemicMethods: readonly SystemicMethod[] = [
  ...namedMethods,
  ...areas.flatMap((area): SystemicMethod[] => [`${area}.read`, `${area}.write`]),
]

/** Returns the given codes and those that they imply: write implies read, and users.read implies usersAccess. */
export function withImplied(codes: Iterable<string>): Set<string> {
  const allCodes = new Set(codes)
  for (const area of areas) if (allCodes.has(`${area}.write`)) allCodes.add(`${area}.read`)
  if (allCodes.has('users.read')) allCodes.add('usersAccess')
  return allCodes
}

/** Pairs of codes, for conditions in SQL: a caller who holds the first method holds the second one too. */
export const impliedMethods: readonly (readonly [holder: string, implied: string])[] = systemicMethods.flatMap((code) =>
  [...withImplied([code])].flatMap((implied) => (implied === code ? [] : [[code, implied] as const])),
)
