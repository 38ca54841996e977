// what an import offers; its page reads it without the contract

/** The largest file, in bytes. */
export const largestFile = 20 * 1024 * 1024

/** By what a row finds its account. */
export const importKeys = ['externalId', 'login', 'email'] as const
export type ImportKey = (typeof importKeys)[number]
/** What is done: accounts are created and updated, or one of both. */
export const importModes = ['both', 'create', 'update'] as const
export type ImportMode = (typeof importModes)[number]

/** What a column may hold besides the fields of an account, which are named by their codes after `field.`. */
export const importTargets = ['externalId', 'password', 'roles', 'organization', 'contractors'] as const
