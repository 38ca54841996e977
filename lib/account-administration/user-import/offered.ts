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

/** What stands first in dates with slashes, such as 04/01/1981. */
export const dayOrders = ['day', 'month'] as const
export type DayOrder = (typeof dayOrders)[number]

/** The whole name, and its parts. Either form of a name gives the other. */
export const wholeName = 'field.fio'
export const nameParts = ['field.lastName', 'field.firstName', 'field.middleName'] as const
const names: string[] = [wholeName, ...nameParts]

/**
 * Returns the required fields that no column holds. A new account can't be created without them; which forms of the name
 * a file has makes no difference.
 */
export function lackingTargets<T extends { id: string; required: boolean }>(
  columns: readonly (string | null)[],
  targets: readonly T[],
): T[] {
  const held = new Set(columns)
  const named = names.some((name) => held.has(name))
  return targets.filter(({ id, required }) => required && !held.has(id) && !(named && names.includes(id)))
}

/** The code of a row whose only fault is that the file has no column for a required field. */
export const lackingCode = 'userImportLacking'
