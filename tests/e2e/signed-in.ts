import type { BrowserContext, Page } from '@playwright/test'
import { db } from '@/db/client'
import { sessions } from '@/db/schema'
import { digest, randomToken } from '@/lib/base/crypto/encryption'
import { cookieName } from '@/lib/request/cookies'
import { currentKeyId, encryptCookie } from '@/lib/sign-in/sessions/cookie'
import { baseDomainId } from '../factories/agreements'
import type { Kind } from '../factories/demo'
import { type Account, accountOf, ownPerson } from './own-people'
import type { Language } from './sign-in-page'
import { password } from './sign-in-page'
import { expect } from './turn'

/** Signs a browser in without its pages, and sets its language. */
export async function signInAs(context: BrowserContext, login: string, language: Language = 'ru') {
  const url = process.env.PUBLIC_URL ?? ''
  await context.addCookies([{ name: 'locale', value: language, url }])
  const headers = { origin: url }
  const path = `${url}/api/v1/platform/auth`
  expect((await context.request.get(`${path}/config/login`, { params: { login } })).status()).toBe(200)
  const data = { flow: 'credentials', login, password }
  const answer = await context.request.post(`${path}/login/login`, { data, headers })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** How long the sessions of `sessionOf` last, in seconds. */
const lasting = 86_400

const deviceOf = new Map<string, string>()

/** Gives the account a session: a row in the database. Returns the values of its cookies, by our names. */
async function sessionOf(login: string) {
  const { id: userId } = await accountOf(login)
  const device = deviceOf.get(login) ?? randomToken()
  deviceOf.set(login, device)
  const [session] = await db()
    .insert(sessions)
    .values({
      userId,
      domainId: await baseDomainId(),
      expiresAt: new Date(Date.now() + lasting * 1000),
      ip: '127.0.0.1',
      browser: 'Chrome 140',
      system: 'Linux',
      deviceType: 'desktop',
      deviceHash: digest(device),
      sealedBy: currentKeyId(),
    })
    .returning()
  return { session: await encryptCookie(session?.id ?? '', lasting), device }
}

/** Gives the account a session. Returns its Cookie header, by default for servers at the run's own address. */
export const cookiesOf = async (login: string, nameOf = cookieName) =>
  Object.entries(await sessionOf(login))
    .map(([name, value]) => `${nameOf(name)}=${value}`)
    .join('; ')

/**
 * Gives a browser a session of the account, for tests that aren't about signing in, signing out or sessions: a row in the
 * database, and its cookie.
 */
export async function asPerson(context: BrowserContext, login: string, language: Language = 'ru') {
  const url = process.env.PUBLIC_URL ?? ''
  const cookies = await sessionOf(login)
  await context.addCookies([
    ...Object.entries(cookies).map(([name, value]) => ({ name: cookieName(name), value, url, httpOnly: true })),
    { name: 'locale', value: language, url },
  ])
}

/** Gives a browser a session of the test file's own account of this kind. Returns the account. */
export async function asOwn(context: BrowserContext, kind: Kind, language: Language = 'ru'): Promise<Account> {
  const person = await ownPerson(kind)
  await asPerson(context, person.login, language)
  return person
}

export const fitsItsWidth = () => document.documentElement.scrollWidth <= window.innerWidth

/** Waits until the last render has taken effect: a key pressed in the same frame comes before its listener. */
export const settled = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

/** Waits until React has hydrated the whole page: before that, a key may have no effect. */
export async function takenOver(page: Page) {
  await page.waitForFunction(() => {
    // a page of forms has a script of its own
    if (document.querySelector('script[src][data-page-script]')) return 'script' in document.documentElement.dataset
    // a streamed part that waits for its place would be found beside what React made meanwhile
    if (document.querySelector('div[hidden][id^="S:"]')) return false
    const parts = [...document.querySelectorAll('[data-part-end]')]
    return parts.length > 0 && parts.every((part) => part.getAttribute('data-part-end') === 'hydrated')
  })
  await settled(page)
}

/**
 * Presses the button that creates a row. An empty list, once it has come, offers the button itself and hides that of the
 * page, so this waits for the list.
 */
export async function pressCreate(page: Page, name: string) {
  await takenOver(page)
  await page.getByRole('button', { name }).first().click()
}

/** Waits until the browser has stored the page for times without a network. */
export const offlinePageKept = (page: Page) =>
  page.evaluate(async () => {
    const { active, installing, waiting } = await navigator.serviceWorker.ready
    const worker = active ?? waiting ?? installing
    if (worker?.state === 'activated') return
    await new Promise((done) =>
      worker?.addEventListener('statechange', () => worker.state === 'activated' && done(null)),
    )
  })
