import type { Messages } from 'next-intl'

/** Errors that only administration meets: pages that load before somebody is known go without their texts. */
export const administrationErrors = [
  'applicationFixed',
  'clientWithoutSecret',
  'deviceTypeImmutable',
  'deviceTypeUsed',
  'errorApplicationAddress',
  'errorClientAddress',
  'errorDuplicate',
  'errorGrant',
  'errorImmutable',
  'errorInternal',
  'errorKey',
  'errorKeyId',
  'errorKeysTwice',
  'errorLatin',
  'errorMenuVisible',
  'errorMethod',
  'errorParent',
  'errorPrivateKey',
  'errorPublicClient',
  'errorRefreshGrant',
  'errorRefreshTokenLifespan',
  'forbiddenApplication',
  'forbiddenMethod',
  'networkAliasUsed',
  'ownAddressDenied',
  'ownAddressDeniedLater',
] as const satisfies readonly (keyof Messages['errors'])[]

const left = new Set<string>(administrationErrors)

/** The texts of errors without those. */
export const publicErrors = (errors: Record<keyof Messages['errors'], string>) =>
  Object.fromEntries(Object.entries(errors).filter(([code]) => !left.has(code)))

/** The notices that public pages show; other outcomes stand in the page itself. */
export const publicNotices = (all: Messages['snackbar']) => {
  const { logout, logoutError, accept, acceptError, decline, declineError } = all
  return { logout, logoutError, accept, acceptError, decline, declineError }
}
