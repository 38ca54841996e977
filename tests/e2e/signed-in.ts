import type { BrowserContext, Cookie, Page } from '@playwright/test'
import { expect } from './fixtures'
import type { Language } from './sign-in-page'
import { password } from './sign-in-page'

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

const kept = new Map<string, Cookie[]>()

/**
 * Gives a browser the account's session in this process, for tests that aren't about signing in, signing out or
 * sessions. The account signs in once, and again if its session was ended.
 */
export async function asPerson(context: BrowserContext, login: string, language: Language = 'ru') {
  const url = process.env.PUBLIC_URL ?? ''
  const cookies = kept.get(login)
  if (cookies) {
    await context.addCookies([...cookies, { name: 'locale', value: language, url }])
    if ((await context.request.get(`${url}/api/v1/platform/users/settings`)).ok()) return
    await context.clearCookies({ name: /session/ })
  }
  await signInAs(context, login, language)
  kept.set(
    login,
    (await context.cookies(url)).filter(({ name }) => name.endsWith('session')),
  )
}

export const fitsItsWidth = () => document.documentElement.scrollWidth <= window.innerWidth

/** Waits until the last render has taken effect: a key pressed in the same frame comes before its listener. */
export const settled = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

/** Waits until React has hydrated the whole page: before that, a key may have no effect. */
export async function takenOver(page: Page) {
  await page.waitForFunction(() => {
    // a streamed part that waits for its place would be found beside what React made meanwhile
    if (document.querySelector('div[hidden][id^="S:"]')) return false
    const pieces = [...document.querySelectorAll('main button, main input, main a')]
    return pieces.every((piece) => Object.keys(piece).some((key) => key.startsWith('__reactProps')))
  })
  await settled(page)
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
