// the choices that an import offers; its page reads them without the contract

/** The largest file, in bytes. */
export const largestFile = 20 * 1024 * 1024

/** By which column a row finds its account. */
export const importKeys = ['externalId', 'login', 'email'] as const
export type ImportKey = (typeof importKeys)[number]
/** What an import does: it creates and updates accounts, or only one of these. */
export const importModes = ['both', 'create', 'update'] as const
export type ImportMode = (typeof importModes)[number]

/** What a column may hold besides the fields of an account, which are named by their codes after `field.`. */
export const importTargets = [
  'externalId',
  'password',
  'authenticatorKey',
  'roles',
  'organization',
  'contractors',
] as const

/** Which part is the first in dates with slashes, such as 04/01/1981. */
export const dayOrders = ['day', 'month'] as const
export type DayOrder = (typeof dayOrders)[number]

/** The whole name, and its parts. Either form of a name gives the other. */
export const wholeName = 'field.fio'
export const nameParts = ['field.lastName', 'field.firstName', 'field.middleName'] as const
const nameTargets: string[] = [wholeName, ...nameParts]

/**
 * Returns the required fields that no column holds, without which a new account can't be created. Either form of the
 * name is enough.
 */
export function missingTargets<T extends { id: string; required: boolean }>(
  columns: readonly (string | null)[],
  targets: readonly T[],
): T[] {
  const usedTargets = new Set(columns)
  const hasName = nameTargets.some((name) => usedTargets.has(name))
  return targets.filter(
    ({ id, required }) => required && !usedTargets.has(id) && !(hasName && nameTargets.includes(id)),
  )
}

/** The code of a row whose only fault is that the file has no column for a required field. */
export const missingFieldCode = 'userImportLacking'
