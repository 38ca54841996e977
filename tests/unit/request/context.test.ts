import { afterEach, describe, expect, test, vi } from 'vitest'
import { chooseLocale } from '@/lib/base/i18n/choose-locale'

afterEach(() => vi.unstubAllEnvs())

describe('locale', () => {
  const choose = (wishes: Partial<Parameters<typeof chooseLocale>[0]>) =>
    chooseLocale({ cookie: undefined, chosen: null, acceptLanguage: null, enabled: ['ru', 'en'], ...wishes })
  test.each([
    [{}, 'ru'],
    [{ acceptLanguage: 'en-US,en;q=0.9,ru;q=0.8' }, 'en'],
    [{ acceptLanguage: 'de,ru;q=0.4,en;q=0.6' }, 'en'],
    [{ acceptLanguage: 'en;q=0, ru' }, 'ru'],
    [{ acceptLanguage: '*' }, 'ru'],
    [{ acceptLanguage: ';;;,,q=,en;q=x' }, 'en'],
    [{ chosen: 'en', acceptLanguage: 'ru' }, 'en'],
    [{ cookie: 'ru', chosen: 'en', acceptLanguage: 'en' }, 'ru'],
    [{ cookie: 'de', chosen: 'en' }, 'en'],
    [{ cookie: 'ru', enabled: ['en'] }, 'en'],
    [{ enabled: ['en', 'ru'] }, 'ru'],
    [{ enabled: [] }, 'ru'],
  ])('%j: %s', (wishes, expected) => expect(choose(wishes)).toBe(expected))
})

describe('cookies', () => {
  async function jarAt(publicUrl: string, header: string | null = null) {
    vi.resetModules()
    vi.stubEnv('PUBLIC_URL', publicUrl)
    return (await import('@/lib/request/cookies')).cookieJar(header)
  }

  test('over https they are bound to the host, secure, unreadable to scripts and lax', async () => {
    const jar = await jarAt('https://id.example')
    jar.cookies.set('session', 'a b', { maxAge: 60.7 })
    jar.cookies.set('attempt', null)
    expect(jar.headers()).toEqual([
      '__Host-session=a%20b; Path=/; SameSite=Lax; Max-Age=60; HttpOnly; Secure',
      '__Host-attempt=; Path=/; SameSite=Lax; Max-Age=0; HttpOnly; Secure',
    ])
  })
  test('over http, where ports share them, their names begin with the platform’s name', async () => {
    const jar = await jarAt('http://localhost:3000')
    jar.cookies.set('session', 'x')
    expect(jar.headers()).toEqual(['platform-session=x; Path=/; SameSite=Lax; HttpOnly'])
  })
  test('of two with one name the first counts; over https unprefixed cookies are ignored', async () => {
    expect(
      (await jarAt('http://localhost:3000', 'session=0; platform-session=1; platform-session=2')).cookies.get(
        'session',
      ),
    ).toBe('1')
    const secure = await jarAt('https://id.example', 'session=evil; __Host-session=good')
    expect(secure.cookies.get('session')).toBe('good')
    expect((await jarAt('https://id.example', 'session=evil')).cookies.get('session')).toBeUndefined()
  })
  test('broken ones are ignored; a stored cookie can be read', async () => {
    const jar = await jarAt('http://localhost:3000', 'platform-session=%E0%A4%A; =x; locale; theme=dark')
    expect(jar.cookies.get('session')).toBeUndefined()
    expect(jar.cookies.get('theme')).toBe('dark')
    jar.cookies.set('theme', null)
    expect(jar.cookies.get('theme')).toBeUndefined()
  })
})

describe('the session cookie', () => {
  const keyA = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4'
  const keyB = 'Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0Pp9Oo8Nn7Mm6Ll5Kk4'
  async function cookieWith(keys: string) {
    vi.resetModules()
    vi.stubEnv('SECRET_KEYS', keys)
    return import('@/lib/sign-in/sessions/cookie')
  }
  test('can be decrypted with any of the keys, not with another key and not after it expired', async () => {
    const id = '3f0d0c5a-7a1e-4f3e-9a53-0d7f6b1c2e4d'
    const sealed = await (await cookieWith(keyA)).encryptCookie(id, 60)
    expect(sealed).not.toContain(id)
    expect(await (await cookieWith(`${keyB},${keyA}`)).decryptCookie(sealed)).toEqual({ id })
    const other = await cookieWith(keyB)
    expect(await other.decryptCookie(sealed)).toBeUndefined()
    expect(await other.decryptCookie(await other.encryptCookie(id, -60))).toBeUndefined()
  })
})
