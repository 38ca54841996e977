import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { describe, expect, test } from 'vitest'
import { demoAccounts, demoPassword } from '@/db/seed/demo/accounts'
import { demoHistory } from '@/db/seed/demo/history'
import { latinized } from '@/db/seed/demo/names'
import { demoPeople } from '@/db/seed/demo/people'
import { demoNow } from '@/db/seed/demo/random'
import { headOfficeKpp, withInnCheck, withOgrnCheck, withOkpoCheck } from '@/db/seed/demo/requisites'
import { settingsFrom } from '@/lib/site/settings/service'

test('check digits equal those of well-known companies', () => {
  expect(withInnCheck('770708389')).toBe('7707083893')
  expect(withInnCheck('773620754')).toBe('7736207543')
  expect(withInnCheck('5001007322')).toBe('500100732259')
  expect(withOgrnCheck('102770013219')).toBe('1027700132195')
  expect(withOgrnCheck('30450011600015')).toBe('304500116000157')
  expect(withOkpoCheck('0003253')).toBe('00032537')
  expect(headOfficeKpp('7736207543')).toBe('773601001')
  expect(() => withInnCheck('77070838')).toThrow()
})

describe('the people of the demo', () => {
  const people = demoPeople(500, 'hash')

  test('are the same on every run', () => {
    expect(demoPeople(500, 'hash')).toEqual(people)
  })

  test('have unique and valid logins, e-mails and mobiles', () => {
    for (const field of ['login', 'email', 'mobile'] as const) {
      const values = people.flatMap(({ user }) => (user[field] ? [user[field].toLowerCase()] : []))
      expect(new Set(values).size, field).toBe(values.length)
    }
    for (const { user } of people) {
      expect(user.login).toMatch(/^[a-z0-9.-]{3,}$/)
      if (user.email) expect(user.email).toMatch(/^[a-z0-9.-]+@[a-z-]+\.example$/)
      expect(parsePhoneNumberFromString(user.mobile ?? '')?.isValid(), user.mobile ?? '').toBe(true)
    }
  })

  test('begin with the printed accounts', () => {
    expect(people.slice(0, demoAccounts.length).map(({ user }) => user.login)).toEqual(
      demoAccounts.map(({ login }) => login),
    )
  })

  test('that are printed get codes by SMS', () => {
    for (const { user } of people.slice(0, demoAccounts.length))
      expect([user.login, user.mobileVerifiedAt instanceof Date]).toEqual([user.login, true])
  })

  test('have names in both alphabets, with male and female forms', () => {
    expect(people.filter(({ user }) => /^[A-Z]/.test(user.lastName ?? '')).length).toBeGreaterThan(10)
    for (const { user } of people) if (user.middleName?.endsWith('вна')) expect(user.gender).toBe('woman')
    expect(latinized('Щёголев-Юрьев')).toBe('shchyogolev-yurev')
    expect(latinized("O'Connor")).toBe('oconnor')
  })

  test('have a past, and none of it in the future', () => {
    const rows = demoHistory(2_000, people)
    expect(demoHistory(2_000, people)).toEqual(rows)
    expect(rows).toHaveLength(2_000)
    const moments = rows.map(({ date }) => date?.getTime() ?? 0)
    expect(moments).toEqual([...moments].sort((one, other) => one - other))
    expect(moments.at(-1)).toBeLessThanOrEqual(demoNow.getTime())
    for (const { type, previous, current } of rows)
      if (type === 'update') expect([previous, current]).not.toEqual([null, null])
    expect(JSON.stringify(rows)).not.toContain('hash"')
  })
})

test('the demo password satisfies the default rules', () => {
  const { passwordMin, passwordMax, passwordSymbols } = settingsFrom({}, '1b550014-670e-4e30-9c50-08c290e925aa')
  expect(demoPassword.length).toBeGreaterThanOrEqual(passwordMin)
  expect(demoPassword.length).toBeLessThanOrEqual(passwordMax ?? 256)
  expect([...demoPassword].some((sign) => passwordSymbols.includes(sign))).toBe(true)
  for (const rule of [/[a-z]/, /[A-Z]/, /[0-9]/]) expect(demoPassword).toMatch(rule)
})
