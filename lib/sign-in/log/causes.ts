/** Why a sign-in failed. The person is told less: most of these look alike to them (docs/rules/sign-in.md#sign-in-log). */
export const signInCauses = [
  'wrongPassword',
  'unknown',
  'noPassword',
  'slowed',
  'passwordClosed',
  'wrongCode',
  'codeExpired',
  'codeAttempts',
  'codesClosed',
  'unreachable',
  'disabled',
  'deviceLimit',
  'noWay',
  'tooMany',
  'dailyLimit',
  'smsUnavailable',
  'providerRefused',
  'providerCanceled',
  'providerAnswer',
  'providerDown',
  'providerOff',
  'providerStranger',
  'providerTaken',
  'providerData',
  'providerUnvouched',
  'providerLogout',
  'refreshReused',
  'codeReused',
  'deviceCodeReused',
] as const
export type SignInCause = (typeof signInCauses)[number]

/** Reasons of our own, which have texts; every other one is in the words of a provider, or names fields. */
export const ownReasons = [
  'nothingWaits',
  'personGone',
  'linkedAlready',
  'nulInName',
  'internal',
  'logoutUnchecked',
  'logoutClaims',
  'logoutRepeated',
] as const

/** The reason of a success of which everything was written: the parts of a name were guessed. */
export const nameGuessed = 'fio syncNameOrder'
