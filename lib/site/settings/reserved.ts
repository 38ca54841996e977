import type { SettingId, Settings } from './definitions'

const smaller = (before: number, after: number) => after < before
const greater = (before: number, after: number) => after > before
const switchedOff = (before: boolean, after: boolean) => before && !after
/** The longest password, if no setting says so. */
const longestPassword = 256
const differ = (before: readonly string[], after: readonly string[]) =>
  before.some((value) => !after.includes(value)) || after.some((value) => !before.includes(value))

type Rule<I extends SettingId> = (before: Settings[I], after: Settings[I]) => boolean

/**
 * For every setting the rule that says which change weakens the proof of people's identity, or runs code on public
 * pages; null if no change does. Such a change also concerns people with more methods than the caller, because all
 * people sign in by passwords, codes, links, sessions and tokens (docs/rules/access.md#administrators-alone).
 */
export const weakening: { [I in SettingId]: Rule<I> | null } = {
  passwordMin: smaller,
  passwordMax: (before, after) => (after ?? longestPassword) < (before ?? longestPassword),
  // passwords with fewer possible symbols are easier to guess
  passwordSymbols: (before, after) => [...before].some((symbol) => !after.includes(symbol)),
  passwordUppercase: switchedOff,
  passwordLowercase: switchedOff,
  passwordNumbers: switchedOff,
  passwordGenerate: null,
  // a new rule can name the only password that fulfils it
  passwordCustomRules: (before, after) =>
    differ(
      before.map(({ pattern }) => pattern),
      after.map(({ pattern }) => pattern),
    ),
  passwordHistory: smaller,
  passwordRefreshAttempts: null,
  authCodeDigits: smaller,
  authCodeAlive: greater,
  // the limit of codes in a day stays the same
  authCodeResendAlive: null,
  authCodeDailyLimit: greater,
  authCodeAttempts: greater,
  identificationLogin: null,
  identificationEmail: null,
  identificationMobile: null,
  clientAccessTokenLifespan: greater,
  accessTokenLifespan: greater,
  refreshTokenLifespan: greater,
  sessionAlive: greater,
  sessionIdleAlive: greater,
  licenseCheckPeriod: null,
  historyRetention: null,
  integrationLogRetention: null,
  providerApiLogRetention: null,
  providerSyncLogRetention: null,
  interactionRetention: null,
  integrationJournalRetention: null,
  metricsScript: () => true,
  monitoringPeriod: null,
  monitoringStuckAfter: null,
  // a trusted proxy names the addresses of people; without trust everybody has the address of the proxy
  reverseProxy: differ,
  whitelistMode: null,
  sendAccessNotify: null,
  accessRequestsNotifyRecipients: null,
  headerVisible: null,
  uiNavMini: null,
  editNavMini: null,
  navMiniTitle: null,
  useUserFio: null,
  localNotifies: null,
  accessRequests: null,
  agreementsAtOnce: null,
  cookie: null,
  registrationEnabled: null,
  registrationAlive: greater,
  registrationsPerIp: null,
  mobileVerifyAlive: greater,
  mobileVerifyAttempts: greater,
  inviteAlive: greater,
  // a role with a method of the platform is refused for every caller
  defaultUserRole: null,
  refreshAlive: greater,
  firstRefreshAlive: greater,
  syncPeriod: null,
}

/**
 * Returns the changed settings whose change only an administrator may make (docs/rules/access.md#administrators-alone).
 */
export const reservedAmong = (changed: readonly SettingId[], before: Settings, after: Settings): SettingId[] =>
  changed.filter((id) =>
    (weakening[id] as ((first: unknown, second: unknown) => boolean) | null)?.(before[id], after[id]),
  )

/** Returns the code of the reason why a change of a setting is reserved, for its field. */
export const reservedCode = (id: SettingId): string => {
  if (id === 'metricsScript') return 'errorReservedScript'
  if (id === 'reverseProxy') return 'errorReservedProxies'
  return id === 'passwordCustomRules' ? 'errorReservedPattern' : 'errorReservedWeaker'
}

/** Returns whether only administrators may change a setting, whatever its value. */
export const isReserved = (id: SettingId): boolean => id === 'metricsScript' || id === 'reverseProxy'
