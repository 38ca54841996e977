import { describe, expect, test, vi } from 'vitest'
import { log } from '@/lib/base/runtime/log'
import { isSafePattern } from '@/lib/base/text/safe-pattern'
import type { SettingId } from '@/lib/site/settings/definitions'
import { parseSetting } from '@/lib/site/settings/parse'
import { settingsFrom } from '@/lib/site/settings/service'

const userRole = '1b550014-670e-4e30-9c50-08c290e925aa'
const anotherRole = '2c660014-670e-4e30-9c50-08c290e925bb'
const duration = (value: number, unit: string) => ({ value, unit })

describe('a stored setting', () => {
  const edges: [id: SettingId, accepted: unknown[], refused: unknown[]][] = [
    ['passwordMin', [8, 128], [7, 129, 8.5, '8', null]],
    ['passwordMax', [8, 256, null], [7, 257, '']],
    ['passwordSymbols', ['', '!@#', '№§'], ['!!', '! #', '\u0007', '!a', 'Ж#', '#1', '٣']],
    ['passwordHistory', [0, 24], [-1, 25]],
    ['passwordRefreshAttempts', [1, 50], [0, 51]],
    ['authCodeDigits', [4, 8], [3, 9]],
    [
      'authCodeAlive',
      [duration(31, 'seconds'), duration(1, 'hours')],
      [duration(30, 'seconds'), duration(61, 'minutes'), 600],
    ],
    ['authCodeResendAlive', [duration(30, 'seconds')], [duration(29, 'seconds'), duration(1, 'days')]],
    ['accessTokenLifespan', [duration(10_080, 'minutes')], [duration(10_081, 'minutes'), duration(0, 'minutes')]],
    [
      'sessionAlive',
      [duration(30, 'days'), duration(1, 'months')],
      [duration(31, 'days'), duration(1, 'years'), duration(1, 'weeks')],
    ],
    ['historyRetention', [45], [44]],
    ['integrationLogRetention', [14], [13]],
    ['providerApiLogRetention', [7], [6]],
    ['interactionRetention', [30], [29]],
    ['monitoringPeriod', [duration(30, 'seconds')], [duration(29, 'seconds')]],
    [
      'metricsScript',
      ['https://metrics.example/counter.js', '', null],
      ['http://metrics.example/', 'javascript:alert(1)'],
    ],
    ['reverseProxy', [[], [anotherRole]], ['10.0.0.0/8', ['10.0.0.0/8']]],
    [
      'accessRequestsNotifyRecipients',
      [{ users: [anotherRole], emails: ['a@b.example'] }],
      [{ users: [], emails: ['a@'] }, {}],
    ],
    ['whitelistMode', [true, false], ['true', 1]],
    ['defaultUserRole', [anotherRole], ['user']],
    ['registrationsPerIp', [1, 1000], [0, 1001]],
    ['inviteAlive', [duration(1, 'hours'), duration(90, 'days')], [duration(59, 'minutes'), duration(91, 'days')]],
    [
      'passwordCustomRules',
      [[{ pattern: '^[a-z]', title: { ru: 'С буквы' } }]],
      [[{ pattern: '(', title: {} }], [{ pattern: '^a' }]],
    ],
  ]
  test.each(edges)('%s is checked against its bounds', (id, accepted, refused) => {
    for (const raw of accepted) expect(parseSetting(id, raw), JSON.stringify(raw)).toHaveProperty('value')
    for (const raw of refused) expect(parseSetting(id, raw), JSON.stringify(raw)).toHaveProperty('code')
  })

  test('reports what is wrong by a message key', () => {
    expect(parseSetting('authCodeDigits', 3)).toEqual({ code: 'errorRange' })
    expect(parseSetting('authCodeDigits', 'four')).toEqual({ code: 'errorFormat' })
    expect(parseSetting('passwordSymbols', '!!')).toEqual({ code: 'errorUnique' })
    expect(parseSetting('accessRequestsNotifyRecipients', { users: [], emails: ['a@'] })).toEqual({
      code: 'errorEmail',
    })
  })

  test('is read in seconds if it is a duration, as null if it is an empty address', () => {
    expect(parseSetting('sessionAlive', duration(2, 'days'))).toEqual({ value: 172_800 })
    expect(parseSetting('registrationAlive', duration(5, 'minutes'))).toEqual({ value: 300 })
    expect(parseSetting('metricsScript', '')).toEqual({ value: null })
  })
})

describe('all settings together', () => {
  test('have their defaults if nothing is stored', () => {
    expect(settingsFrom({}, userRole)).toMatchObject({
      passwordMin: 8,
      passwordMax: 128,
      authCodeAlive: 600,
      sessionAlive: 604_800,
      historyRetention: 365,
      firstRefreshAlive: 259_200,
      defaultUserRole: userRole,
      whitelistMode: false,
    })
  })

  test('use the stored value over the default', () => {
    const stored = {
      passwordMin: 12,
      uiNavMini: true,
      defaultUserRole: anotherRole,
      syncPeriod: duration(15, 'minutes'),
    }
    expect(settingsFrom(stored, userRole)).toMatchObject({
      passwordMin: 12,
      uiNavMini: true,
      defaultUserRole: anotherRole,
      syncPeriod: 900,
    })
  })

  test('use the default and report it if a value is corrupt', () => {
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
    expect(settingsFrom({ passwordMin: 'eight', authCodeDigits: 5 }, userRole)).toMatchObject({
      passwordMin: 8,
      authCodeDigits: 5,
    })
    expect(warn.mock.calls.map(([details]) => details)).toEqual([{ setting: 'passwordMin', fault: 'errorFormat' }])
    warn.mockRestore()
  })

  test.each([
    [
      'a code that dies before the next may be asked for',
      { authCodeAlive: duration(40, 'seconds'), authCodeResendAlive: duration(2, 'minutes') },
      { authCodeAlive: 600, authCodeResendAlive: 60 },
    ],
    [
      'no identifier at all',
      { identificationLogin: false, identificationEmail: false, identificationMobile: false },
      { identificationLogin: true, identificationEmail: true, identificationMobile: true },
    ],
    [
      'passwords that may not be as long as they must',
      { passwordMin: 20, passwordMax: 10 },
      { passwordMin: 8, passwordMax: 128 },
    ],
    [
      'a refresh token shorter than an access token',
      { refreshTokenLifespan: duration(5, 'minutes') },
      { refreshTokenLifespan: 604_800, accessTokenLifespan: 600 },
    ],
    [
      'an idle time beyond the life of a session',
      { sessionAlive: duration(1, 'hours') },
      { sessionAlive: 604_800, sessionIdleAlive: 86_400 },
    ],
  ])('use their defaults together if they contradict each other: %s', (_, stored, expected) => {
    expect(settingsFrom(stored, userRole)).toMatchObject(expected)
  })
})

describe('a pattern for passwords', () => {
  test.each([
    '^[A-Za-z]',
    '(?:abc|def)',
    '[0-9]{2,4}$',
    '^(?:[a-z][0-9]){3}',
    '\\d+\\.\\d+',
    '[+*(]+',
    '\\(a+\\)',
    'а{2}',
  ])('may be %s', (pattern) => {
    expect(isSafePattern(pattern)).toBe(true)
  })
  test.each([
    '',
    '(',
    '(a+)+',
    '(a|a)*',
    '((a+)b)*',
    '(?:(x*))?y+z{2,}(?:q+){2}',
    '(.)\\1',
    '(?=a)b',
    '(?<!a)b',
    '(?<n>a)\\k<n>',
    '.*.*.*.*!',
    'a'.repeat(201),
  ])('may not be %s', (pattern) => {
    expect(isSafePattern(pattern)).toBe(false)
  })
})

test('a setting that another version stored with more members is used as far as it is known', () => {
  const roleId = crypto.randomUUID()
  const stored: Record<string, unknown> = {
    sessionAlive: { value: 3, unit: 'days', later: true },
    passwordCustomRules: [{ pattern: '^x', title: { ru: 'Начинается с x' }, later: [1] }],
    accessRequestsNotifyRecipients: { users: [], emails: ['a@polaris.example'], later: {} },
  }
  const settings = settingsFrom(stored, roleId)
  expect(settings.sessionAlive).toBe(3 * 86_400)
  expect(settings.passwordCustomRules).toEqual([{ pattern: '^x', title: { ru: 'Начинается с x' } }])
  expect(settings.accessRequestsNotifyRecipients).toEqual({ users: [], emails: ['a@polaris.example'] })
  // writing it is refused
  expect(parseSetting('sessionAlive', stored.sessionAlive)).toHaveProperty('code')
})

test('of stored rules for passwords one that is corrupt, or costs more than a new one may, takes no other away', () => {
  const rule = (pattern: string) => ({ pattern, title: { ru: 'Правило' } })
  const dear = '^[a-z]{1000}x'
  expect(isSafePattern(dear)).toBe(false)
  const passwordCustomRules = [rule(dear), rule('(a+)+'), rule('^x'), { pattern: 7 }, null]
  expect(settingsFrom({ passwordCustomRules }, crypto.randomUUID()).passwordCustomRules).toEqual([
    rule(dear),
    rule('^x'),
  ])
})
