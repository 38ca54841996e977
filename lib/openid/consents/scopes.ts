const scopesWithTexts = [
  'openid',
  'profile',
  'email',
  'phone',
  'roles',
  'contractors',
  'fields',
  'offline_access',
] as const
export type NamedScope = (typeof scopesWithTexts)[number]

/** Returns the scopes that have texts, in the order in which people see them. */
export const namedScopes = (scopes: readonly string[]): NamedScope[] =>
  scopesWithTexts.filter((scope) => scopes.includes(scope))
