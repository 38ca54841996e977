import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import type { Page } from '@playwright/test'
import type { UserManager, UserManagerSettings } from 'oidc-client-ts'
import { startApplication } from './application'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { ownPerson } from './own-people'
import { speak } from './people'
import { SignInPage } from './sign-in-page'
import { asPerson } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const t = words.oidc

type Library = { UserManager: new (settings: UserManagerSettings) => UserManager }

/** A page without its own server: only the library, as its authors publish it. */
const singlePage: RequestListener = async (req, res) => {
  const library = req.url === '/oidc-client-ts.js'
  res.writeHead(200, { 'content-type': library ? 'text/javascript' : 'text/html' })
  if (library) res.end(await readFile('node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js'))
  else
    res.end(
      `<!doctype html><title>App</title><link rel="icon" href="data:,"><script src="/oidc-client-ts.js"></script><h1>${req.url?.split('?')[0]}</h1>`,
    )
}

/** Creates managers in the page and returns their actions; it doesn't wait for actions that leave the page. */
const manage = <T>(page: Page, settings: UserManagerSettings, work: (managers: UserManager[]) => Promise<T>) =>
  page.evaluate(
    `(async () => {
      const make = () => new window.oidc.UserManager(${JSON.stringify(settings)})
      return (${work.toString()})(Array.from({ length: 6 }, make))
    })()`,
  ) as Promise<T>

declare global {
  interface Window {
    oidc: Library
  }
}

test('oidc-client-ts in a page of another origin signs in, renews six times at once, revokes and signs out', {
  tag: '@full',
}, async ({ page, context, baseURL }) => {
  const { login } = await ownPerson('employee')
  await speak(context, language, baseURL)
  const app = await startApplication('documentation', baseURL, undefined, singlePage)
  const settings: UserManagerSettings = {
    authority: `${baseURL}/oidc`,
    client_id: app.clientId,
    redirect_uri: `${app.address}/callback`,
    post_logout_redirect_uri: `${app.address}/bye`,
    scope: 'openid profile',
    automaticSilentRenew: false,
  }
  try {
    await page.goto(app.address)
    await manage(page, settings, async ([manager]) => void manager?.signinRedirect())
    const signIn = new SignInPage(page, language)
    await signIn.enterIdentifier(login)
    await signIn.enterPassword()
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
    const entered = await manage(page, settings, async ([manager]) => {
      const user = await manager?.signinCallback()
      return { sid: user?.profile.sid, name: user?.profile.name, token: user?.access_token }
    })
    expect(entered).toEqual({
      sid: expect.stringMatching(/^[\w-]{20,}$/),
      name: expect.any(String),
      token: expect.any(String),
    })

    // tabs that share their storage do this
    const renewed = await manage(page, settings, async (managers) => {
      const users = await Promise.all(managers.map((manager) => manager.signinSilent()))
      return users.map((user) => user?.refresh_token)
    })
    expect(renewed.every(Boolean)).toBe(true)
    const again = await manage(page, settings, async ([manager]) => {
      const user = await manager?.signinSilent()
      return { sid: user?.profile.sid, token: user?.access_token }
    })
    expect(again.sid).toBe(entered.sid)
    const userinfoStatus = () =>
      fetch(`${baseURL}/oidc/me`, { headers: { authorization: `Bearer ${again.token}` } }).then(({ status }) => status)
    expect(await userinfoStatus()).toBe(200)

    // the library accepts only one content type
    await manage(page, settings, async ([manager]) => manager?.revokeTokens(['access_token', 'refresh_token']))
    expect(await userinfoStatus()).toBe(401)

    await manage(page, settings, async ([manager]) => void manager?.signoutRedirect())
    await expect(page.getByRole('heading', { name: t.logout.title })).toBeVisible()
    await page.getByRole('link', { name: t.logout.stay }).click()
    await expect(page.getByRole('heading', { name: '/bye' })).toBeVisible()
    expect(new URL(page.url()).origin).toBe(app.address)
    await page.goto('/platform/profile')
    await expect(page.getByRole('main')).toBeVisible()
    expect(new URL(page.url()).pathname).toContain('/platform/profile')
  } finally {
    app.stop()
  }
})

test('an application that lets people choose their account asks for it, and can get another person', {
  tag: '@full',
}, async ({ page, context, baseURL }) => {
  const [first, other] = [await ownPerson('employee'), await ownPerson('oneService')]
  const app = await startApplication('procurement', baseURL)
  try {
    await asPerson(context, first.login, language)
    await page.goto((await app.authorization({ prompt: 'select_account' })).href)
    await expect(page.getByRole('heading', { name: t.account.title })).toBeVisible()
    await page.getByRole('button', { name: t.account.same }).click()
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()

    await page.goto((await app.authorization({ prompt: 'select_account' })).href)
    await page.getByRole('button', { name: t.account.other }).click()
    const signIn = new SignInPage(page, language)
    await signIn.enterIdentifier(other.login)
    await signIn.enterPassword()
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
  } finally {
    app.stop()
  }
})
