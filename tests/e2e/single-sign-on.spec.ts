import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { ownPerson } from './own-people'
import { logoutsOf, startRelyingParty } from './relying-party'
import { SignInPage } from './sign-in-page'
import { signInAs } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)

// the texts of the examples in docs
const nobody = (page: Page) => page.getByRole('heading', { name: 'Nobody is signed in' })
const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out' })
const renewals = async (page: Page) =>
  Number(/renewed: (\d+)/.exec((await page.locator('body').textContent()) ?? '')?.[1])

/** Begins to sign in at the example with next-auth: its page, then next-auth's own button. */
async function enterByNextAuth(page: Page, origin: string) {
  await page.goto(origin)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign in with the platform' }).click()
}

test('one sign-in works for two applications, and one sign-out ends both', async ({ page }) => {
  test.slow()
  const t = words.oidc
  const first = await startRelyingParty('next-auth', 'procurement')
  const second = await startRelyingParty('openid-client', 'warehouse')
  try {
    await page.context().addCookies([{ name: 'locale', value: language, url: process.env.PUBLIC_URL ?? '' }])
    await enterByNextAuth(page, first.origin)
    const signIn = new SignInPage(page, language)
    await signIn.enterIdentifier((await ownPerson('employee')).login)
    await signIn.enterPassword()
    await expect(page.getByText('procurement.orders.read')).toBeVisible()
    // each page renews the tokens with a refresh token that works only once
    const before = await renewals(page)
    await page.reload()
    expect(await renewals(page)).toBeGreaterThan(before)

    // the other application doesn't ask
    await page.goto(`${second.origin}/sign-in`)
    await expect(signOut(page)).toBeVisible()
    expect(page.url()).toBe(`${second.origin}/`)

    await page.goto(first.origin)
    await signOut(page).click()
    await expect(page.getByRole('heading', { name: t.logout.title })).toBeVisible()
    await page.getByRole('button', { name: t.logout.confirm }).click()
    await expect(nobody(page)).toBeVisible()
    expect(page.url()).toBe(`${first.origin}/`)

    await expect.poll(logoutsOf(second.clientId)).toEqual(['sent'])
    await page.goto(second.origin)
    await expect(nobody(page)).toBeVisible()
    await page.goto('/platform/profile')
    await expect(signIn.identifier).toBeVisible()
  } finally {
    first.stop()
    second.stop()
  }
})

test('a session that is ended in the profile ends in its applications, with and without back-channel logout', {
  tag: '@full',
}, async ({ page, browser }) => {
  test.slow()
  const first = await startRelyingParty('next-auth', 'procurement')
  const second = await startRelyingParty('openid-client', 'warehouse', { hears: false })
  const t = words.sessions
  const phone = await browser.newContext({
    baseURL: process.env.PUBLIC_URL,
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  })
  try {
    const { login } = await ownPerson('employee')
    await signInAs(phone, login, language)
    const away = await phone.newPage()
    await away.goto(`${second.origin}/sign-in`)
    await expect(signOut(away)).toBeVisible()
    await enterByNextAuth(away, first.origin)
    await expect(signOut(away)).toBeVisible()

    await signInAs(page.context(), login, language)
    await page.goto('/platform/profile/sessions')
    await page
      .getByRole('article')
      .filter({ hasText: 'Safari 18' })
      .first()
      .getByRole('button', { name: t.end })
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: t.end, exact: true }).click()
    await expect(page.getByRole('alertdialog')).toBeHidden()

    await expect.poll(logoutsOf(first.clientId)).toEqual(['sent'])
    await away.goto(first.origin)
    await expect(nobody(away)).toBeVisible()
    // this application notices when it renews its tokens
    await away.goto(second.origin)
    await expect(nobody(away)).toBeVisible()
  } finally {
    await phone.close()
    first.stop()
    second.stop()
  }
})
