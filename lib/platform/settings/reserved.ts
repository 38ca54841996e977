import type { SettingId, Settings } from './definitions'

const smaller = (before: number, after: number) => after < before
const greater = (before: number, after: number) => after > before
const off = (before: boolean, after: boolean) => before && !after

/**
 * Changes that only an administrator may make: of what runs as code on public pages, and those that make it easier to pass
 * for somebody else. Everybody's sign-in depends on them, so also that of people who hold more than the caller.
 */
const reserved: { [I in SettingId]?: (before: Settings[I], after: Settings[I]) => boolean } = {
  metricsScript: () => true,
  passwordMin: smaller,
  passwordSymbols: (before, after) => before !== '' && after === '',
  passwordUppercase: off,
  passwordLowercase: off,
  passwordNumbers: off,
  passwordCustomRules: (before, after) => before.some(({ pattern }) => !after.some((rule) => rule.pattern === pattern)),
  passwordHistory: smaller,
  authCodeDigits: smaller,
  authCodeAlive: greater,
  authCodeAttempts: greater,
  authCodeDailyLimit: greater,
  mobileVerifyAlive: greater,
  mobileVerifyAttempts: greater,
  // a trusted proxy says from which address a request comes, and limits count by it
  reverseProxy: (before, after) => after.some((id) => !before.includes(id)),
}

/** Returns which of these changed settings only an administrator may change so (docs/rules/access.md#administrators-alone). */
export const reservedAmong = (changed: readonly SettingId[], before: Settings, after: Settings): SettingId[] =>
  changed.filter((id) =>
    (reserved[id] as ((one: unknown, other: unknown) => boolean) | undefined)?.(before[id], after[id]),
  )

/** Whether every change of a setting is for administrators alone. */
export const isReserved = (id: SettingId): boolean => id === 'metricsScript'
