const named = ['openid', 'profile', 'email', 'phone', 'roles', 'contractors', 'fields', 'offline_access'] as const
export type NamedScope = (typeof named)[number]

/** The scopes for which there are words, in the order in which people are told of them. */
export const namedScopes = (scopes: readonly string[]): NamedScope[] => named.filter((scope) => scopes.includes(scope))
