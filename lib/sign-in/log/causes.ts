/**
 * Why a sign-in failed. The answer to the person says less: most of these causes have the same answer
 * (docs/rules/sign-in.md#sign-in-log).
 */
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
  'wrongPasskey',
  'unknownPasskey',
  'copiedPasskey',
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

/**
 * Reasons that the platform itself gives, which have texts. Any other reason is in the words of an identity provider,
 * or names fields.
 */
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

/** The reason that is logged for a successful sign-in that stored all data, but guessed the parts of a name. */
export const nameGuessed = 'fio syncNameOrder'
