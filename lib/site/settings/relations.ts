import type { SettingId, Settings } from './definitions'

type Relation = { ids: readonly SettingId[]; code: string; holds: (settings: Settings) => boolean }

/** Conditions between settings; if one is broken, the fault is reported at the first of its ids. */
export const relations: readonly Relation[] = [
  {
    ids: ['passwordMax', 'passwordMin'],
    code: 'errorPasswordMax',
    holds: ({ passwordMin, passwordMax }) => passwordMax === null || passwordMax >= passwordMin,
  },
  {
    ids: ['authCodeAlive', 'authCodeResendAlive'],
    code: 'errorAuthCodeAlive',
    holds: ({ authCodeAlive, authCodeResendAlive }) => authCodeAlive > authCodeResendAlive,
  },
  {
    ids: ['identificationLogin', 'identificationEmail', 'identificationMobile'],
    code: 'errorIdentification',
    holds: ({ identificationLogin, identificationEmail, identificationMobile }) =>
      identificationLogin || identificationEmail || identificationMobile,
  },
  {
    ids: ['refreshTokenLifespan', 'accessTokenLifespan'],
    code: 'errorRefreshTokenLifespan',
    holds: ({ refreshTokenLifespan, accessTokenLifespan }) => refreshTokenLifespan > accessTokenLifespan,
  },
  {
    ids: ['sessionIdleAlive', 'sessionAlive'],
    code: 'errorSessionIdleAlive',
    holds: ({ sessionIdleAlive, sessionAlive }) => sessionIdleAlive <= sessionAlive,
  },
]

/** A fault of a setting: the id at which it is shown, and the key of its text. */
export type SettingFault = { id: SettingId; code: string }

/**
 * Returns a fault for each broken condition that contains a changed setting, at the first changed one, so that the
 * fault is shown where the person works.
 */
export const brokenRelations = (settings: Settings, changed: readonly string[]): SettingFault[] =>
  relations.flatMap(({ ids, code, holds }) => {
    const id = ids.find((candidate) => changed.includes(candidate))
    return id && !holds(settings) ? [{ id, code }] : []
  })
