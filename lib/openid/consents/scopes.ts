const named = ['openid', 'profile', 'email', 'phone', 'roles', 'contractors', 'fields', 'offline_access'] as const
export type NamedScope = (typeof named)[number]

/** Returns the scopes that have texts, in the order in which people see them. */
export const namedScopes = (scopes: readonly string[]): NamedScope[] => named.filter((scope) => scopes.includes(scope))
