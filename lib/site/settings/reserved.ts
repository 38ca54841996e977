import type { SettingId, Settings } from './definitions'

const smaller = (before: number, after: number) => after < before
const greater = (before: number, after: number) => after > before
const off = (before: boolean, after: boolean) => before && !after
/** The longest password, if no setting says so. */
const longest = 256
const differ = (before: readonly string[], after: readonly string[]) =>
  before.some((one) => !after.includes(one)) || after.some((one) => !before.includes(one))

type Rule<I extends SettingId> = (before: Settings[I], after: Settings[I]) => boolean

/**
 * Every setting, judged by whether a change of it can weaken what proves somebody, or runs as code on public pages: which
 * change does, or null if none. Everybody proves themselves by passwords, codes, links, sessions and tokens, so also people
 * who hold more than the caller (docs/rules/access.md#administrators-alone).
 */
export const weakening: { [I in SettingId]: Rule<I> | null } = {
  passwordMin: smaller,
  passwordMax: (before, after) => (after ?? longest) < (before ?? longest),
  // the fewer there are to choose from, the easier they are to guess
  passwordSymbols: (before, after) => [...before].some((symbol) => !after.includes(symbol)),
  passwordUppercase: off,
  passwordLowercase: off,
  passwordNumbers: off,
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
  // however soon a code can be asked for again, the day has no more of them
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
  // a trusted proxy says where people come from; one that isn't trusted any more is where everybody comes from
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
  // a role with a method of the platform is refused to everybody
  defaultUserRole: null,
  refreshAlive: greater,
  firstRefreshAlive: greater,
  syncPeriod: null,
}

/** Returns which of these changed settings only an administrator may change so (docs/rules/access.md#administrators-alone). */
export const reservedAmong = (changed: readonly SettingId[], before: Settings, after: Settings): SettingId[] =>
  changed.filter((id) => (weakening[id] as ((one: unknown, other: unknown) => boolean) | null)?.(before[id], after[id]))

/** The code of why a change of a setting is reserved, by which its field says it. */
export const reservedCode = (id: SettingId): string => {
  if (id === 'metricsScript') return 'errorReservedScript'
  if (id === 'reverseProxy') return 'errorReservedProxies'
  return id === 'passwordCustomRules' ? 'errorReservedPattern' : 'errorReservedWeaker'
}

/** Whether every change of a setting is for administrators alone. */
export const isReserved = (id: SettingId): boolean => id === 'metricsScript' || id === 'reverseProxy'
