/** The kinds of identifiers with which people sign in. */
export const identifierKinds = ['login', 'email', 'mobile'] as const
export type IdentifierKind = (typeof identifierKinds)[number]
