import type { Messages } from 'next-intl'

/** Errors that only administration meets: pages that load before somebody is known go without their texts. */
export const administrationErrors = [
  'applicationFixed',
  'clientWithoutSecret',
  'deviceTypeImmutable',
  'deviceTypeUsed',
  'errorClientAddress',
  'errorDuplicate',
  'errorGrant',
  'errorImmutable',
  'errorKey',
  'errorKeyId',
  'errorKeysTwice',
  'errorLatin',
  'errorMethod',
  'errorPrivateKey',
  'errorPublicClient',
  'errorRefreshGrant',
  'errorRefreshTokenLifespan',
  'forbiddenApplication',
  'forbiddenMethod',
  'networkAliasUsed',
] as const satisfies readonly (keyof Messages['errors'])[]

const left = new Set<string>(administrationErrors)

/** The texts of errors without those. */
export const publicErrors = (errors: Record<keyof Messages['errors'], string>) =>
  Object.fromEntries(Object.entries(errors).filter(([code]) => !left.has(code)))
