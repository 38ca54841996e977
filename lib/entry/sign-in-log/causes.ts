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
] as const
export type SignInCause = (typeof signInCauses)[number]
