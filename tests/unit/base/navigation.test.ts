import { describe, expect, test } from 'vitest'
import { addressAfterSignIn, keepsAfterSignIn, ownPath, staysAfterSignIn } from '@/lib/base/navigation/after-sign-in'
import { redirectFor, screens } from '@/lib/base/navigation/screens'

const guid = '3f0d0c5a-7a1e-4f3e-9a53-0d7f6b1c2e4d'

describe('ownPath', () => {
  test.each([
    ['/platform/profile', '/platform/profile'],
    ['/platform/profile?tab=1&x=%2F', '/platform/profile?tab=1&x=%2F'],
    [`/platform/invitation/${guid}`, `/platform/invitation/${guid}`],
    ['/platform/profile#part', '/platform/profile'],
  ])('keeps %s', (address, expected) => expect(ownPath(address)).toBe(expected))

  test.each([
    null,
    undefined,
    '',
    'platform/profile',
    '//evil.example',
    '/\\evil.example',
    '/platform//evil.example',
    '/platform\\evil',
    '/%2f/evil.example',
    '/%5cevil.example',
    '/platform/%2e%2e/%2e%2e//evil.example',
    '/platform/..//evil.example',
    '/platform/../api/v1/docs',
    '/platform/%2e%2e/api',
    '/api/v1/platform/auth/logout',
    '/platformer',
    'https://evil.example/platform/profile',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    '/platform/\u0000',
    '/platform/profile\n',
    '\t//evil.example',
    '/platform/%',
    `/platform/${'a'.repeat(3000)}`,
  ])('refuses %j', (address) => expect(ownPath(address)).toBeNull())
})

describe('after sign-in', () => {
  const purchases = { code: 'purchases', serviceUrl: 'https://purchases.example/' }
  const stock = { code: 'stock', serviceUrl: 'https://stock.example/' }
  const documentation = { code: 'documentation', serviceUrl: 'https://docs.example/' }
  const rule = (services: (typeof stock)[], path: string | null = null, requiredFieldsEmpty = false) =>
    keepsAfterSignIn(path) ? path : addressAfterSignIn({ services, requiredFieldsEmpty })

  test('no service: the profile', () => expect(rule([])).toBe('/platform/profile'))
  test('one service: that service', () => expect(rule([stock])).toBe(stock.serviceUrl))
  test('several services: the switch', () => expect(rule([stock, purchases])).toBe('/platform/apps'))
  test('documentation does not count', () => {
    expect(rule([documentation])).toBe('/platform/profile')
    expect(rule([documentation, stock])).toBe(stock.serviceUrl)
  })
  test('empty required fields: the profile, whatever the services', () =>
    expect(rule([stock, purchases], null, true)).toBe('/platform/profile'))
  test.each([
    '/platform/profile/sessions',
    '/platform/setting/domains',
    '/platform/law/terms',
    '/platform/help',
    '/platform/notify',
    '/platform/interaction/abc',
    `/platform/invitation/${guid}`,
    `/platform/registration/${guid}`,
    `/platform/new-password/${guid}`,
    `/platform/login/password/${guid}`,
  ])('stays at %s', (path) => {
    expect(staysAfterSignIn(path)).toBe(true)
    expect(rule([stock], path, true)).toBe(path)
  })
  test.each([
    '/platform/apps',
    `/platform/apps/${guid}`,
    `/platform/nowhere/${guid}`,
    '/platform/helpless',
    '/platform/help/more',
    '/platform',
    '/platform/login',
    '/',
  ])('%s doesn’t keep the person', (path) => expect(rule([stock], path)).toBe(stock.serviceUrl))
})

describe('navigation rules', () => {
  const visit = (path: string, signedIn: boolean | 'perhaps', services = false, search = '') =>
    redirectFor({ path, search, signedIn, hasServices: async () => services })

  test('the root leads to sign-in', async () => expect(await visit('/', false)).toBe('/platform/login'))
  test.each([
    '/nowhere',
    '/platform',
    '/platform/nowhere',
    '/platform/login/nowhere',
    '/platform/profile/nowhere/deep',
  ])('unknown %s leads to the root, signed in or not', async (path) => {
    expect(await visit(path, false)).toBe('/')
    expect(await visit(path, true)).toBe('/')
  })
  test('a signed-out person is redirected from a protected page to sign-in, and back', async () => {
    for (const screen of screens.filter((each) => !each.public))
      expect(await visit(screen.path, false, false, '?a=1')).toBe(
        `/platform/login?path=${encodeURIComponent(`${screen.path}?a=1`)}`,
      )
  })
  test('a signed-in person is redirected from the sign-in page to the services, or to the profile without any', async () => {
    expect(await visit('/platform/login', true, true)).toBe('/platform/apps')
    expect(await visit('/platform/login', true, false)).toBe('/platform/profile/personal')
  })
  test('an unchecked cookie decides nothing', async () => {
    expect(await visit('/platform/login', 'perhaps', true)).toBeNull()
    expect(await visit('/platform/profile', 'perhaps')).toBeNull()
  })
  test('the page of dead links is shown, signed in or not', async () => {
    for (const signedIn of [true, false]) expect(await visit('/platform/404', signedIn)).toBeNull()
    expect(screens.find(({ path }) => path === '/platform/404')?.menu).toBeUndefined()
  })
  test('an allowed page is shown', async () => {
    expect(await visit('/platform/login', false)).toBeNull()
    expect(await visit('/platform/profile', true)).toBeNull()
  })
})
