import { beforeAll, describe, expect, test, vi } from 'vitest'
import { readCookies } from '@/lib/request/cookies'
import { readOutcome } from '@/lib/request/forms/outcome'
import { authLogout } from '@/lib/sign-in/attempts/contract'
import { Browser } from '../../factories/browser'
import { freshKey, setKeys } from '../../factories/keys'
import { openPage, post } from '../../factories/page-forms'
import { handlerOf } from '../../factories/routes'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const login = '/platform/login'
const sessionCookie = 'platform-session'
let person: Awaited<ReturnType<typeof createUser>>
beforeAll(async () => {
  person = await createUser({ roles: [await createRole({ firstFactor: ['credentials'] })] })
})

describe('what a form leaves in the browser', () => {
  const failing = (browser: Browser, address: string) =>
    post(browser, address, { form: 'identify', username: 'x'.repeat(8_000), remember: 'on' })

  test('is over after its time, whatever the browser keeps, and when somebody signs out', async () => {
    const browser = new Browser()
    const { outcome } = await failing(browser, login)
    const later = Date.now() + 61_000
    const read = () => readOutcome({ get: readCookies(browser.cookie) }, login)
    expect(read()).toEqual(outcome)
    vi.useFakeTimers({ toFake: ['Date'], now: later })
    try {
      expect(read()).toBeNull()
    } finally {
      vi.useRealTimers()
    }
    const left = () => [...browser.cookies.keys()].filter((name) => name.includes('outcome'))
    await post(browser, '/platform/sign-out', { form: 'signOut', to: login })
    expect(left()).toEqual([])
    await failing(browser, login)
    expect(left()).not.toEqual([])
    await browser.send(handlerOf(authLogout), 'POST')
    expect(left()).toEqual([])
  })

  test('is read by the page that shows it, and in this browser only', async () => {
    const [browser, other] = [new Browser(), new Browser()]
    const { outcome } = await failing(browser, login)
    expect(outcome).toMatchObject({ form: 'identify', status: 400 })
    const readIn = ({ cookie }: Browser, address: string) => readOutcome({ get: readCookies(cookie) }, address)
    expect(readIn(browser, login)).toEqual(outcome)
    expect(readIn(browser, `${login}?step=id`)).toBeNull()
    openPage(other)
    for (const [name, value] of browser.cookies) if (name.includes('outcome')) other.cookies.set(name, value)
    expect(readIn(other, login)).toBeNull()
  })

  test.each([100, 3_000, 9_000])('fits beside an address of %i characters', async (length) => {
    const browser = new Browser()
    const address = `${login}?path=%2Fplatform%2Fprofile%3F${'a'.repeat(length)}`
    const { to, outcome } = await failing(browser, address)
    expect(outcome).toMatchObject({ form: 'identify', status: 400 })
    // a server of Node reads 16 KiB of address and headers
    expect(to.length + browser.cookie.length).toBeLessThan(13_000)
  })

  test('is no cookie of the time before, when the keys have changed', async () => {
    const browser = new Browser()
    const first = process.env.SECRET_KEYS ?? ''
    await post(browser, login, { form: 'identify', username: person.login })
    await post(browser, login, { form: 'password', kind: 'login', identifier: person.login, password })
    expect(browser.cookies.has(sessionCookie)).toBe(true)
    try {
      setKeys(freshKey(), first)
      const out = await post(browser, '/platform/sign-out', { form: 'signOut', to: login })
      expect(out).toMatchObject({ status: 303, to: login })
      expect(browser.cookies.has(sessionCookie)).toBe(false)
    } finally {
      setKeys(first)
    }
  })
})
