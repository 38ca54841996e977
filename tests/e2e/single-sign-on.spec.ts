import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { startApplications } from '@/bin/demo/applications'
import { db } from '@/db/client'
import { applications, oidcLogouts } from '@/db/schema'
import { placeApplications } from '@/db/seed/demo/own-applications'
import { invalidate } from '@/lib/kernel/cache'
import { expect, test } from './fixtures'
import { startRelyingParty } from './relying-party'
import { SignInPage } from './sign-in-page'
import { signInAs } from './signed-in'
import { ru } from './words'

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

/** Returns the statuses of a client's back-channel logouts. */
const told = (clientId: string) => () =>
  db()
    .select({ status: oidcLogouts.status })
    .from(oidcLogouts)
    .where(eq(oidcLogouts.clientId, clientId))
    .then((rows) => rows.map(({ status }) => status))

test('a tile opens an application of the demo, where the person can sign out', async ({ page, context, baseURL }) => {
  const demo = await startApplications(baseURL ?? '')
  const { procurement, warehouse, partner } = demo.origins
  const before = await db().select({ code: applications.code, url: applications.url }).from(applications)
  try {
    await db().transaction((tx) => placeApplications(tx, demo.origins))
    await signInAs(context, 'services')
    const tile = page.getByRole('main').getByRole('link', { name: 'Склад' })
    await expect(async () => {
      await page.goto('/platform/apps')
      await expect(tile).toHaveAttribute('href', `${warehouse}/`, { timeout: 500 })
    }).toPass()
    await tile.click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ветров Семён Ильич')
    expect(page.url()).toBe(`${warehouse}/`)
    await expect(page.getByText('warehouse.stock.read')).toBeVisible()
    // the other application doesn't ask, and has a link to the portal
    await page.goto(procurement)
    await expect(page.getByText('procurement.orders.read')).toBeVisible()
    await page.getByRole('link', { name: /На портал|To the portal/ }).click()
    await expect(page).toHaveURL('/platform/apps')

    await page.goto(warehouse)
    await page.getByRole('button', { name: /Выйти|Sign out/ }).click()
    await expect(page.getByRole('heading', { name: ru.oidc.logout.title })).toBeVisible()
    await page.getByRole('button', { name: ru.oidc.logout.confirm }).click()
    await expect(page.getByRole('heading', { name: /Вы вышли|You are signed out/ })).toBeVisible()
    await expect.poll(told('demo-procurement')).toEqual(['sent'])
    await page.goto(procurement)
    await expect(new SignInPage(page).identifier).toBeVisible()

    // if the person refuses at the platform, the application shows that
    await signInAs(context, 'one-service')
    await page.goto(partner)
    await page.getByRole('button', { name: ru.consent.refuse }).click()
    await expect(page.getByText('access_denied')).toBeVisible()
  } finally {
    demo.stop()
    await db().transaction(async (tx) => {
      for (const { code, url } of before) await tx.update(applications).set({ url }).where(eq(applications.code, code))
      await invalidate(tx, 'applications')
    })
  }
})

test('one sign-in works for two applications, and one sign-out ends both', async ({ page }) => {
  test.slow()
  const t = ru.oidc
  const first = await startRelyingParty('next-auth', 'procurement')
  const second = await startRelyingParty('openid-client', 'warehouse')
  try {
    await enterByNextAuth(page, first.origin)
    const signIn = new SignInPage(page)
    await signIn.enterIdentifier('services')
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

    await expect.poll(told(second.clientId)).toEqual(['sent'])
    await page.goto(second.origin)
    await expect(nobody(page)).toBeVisible()
    await page.goto('/platform/profile')
    await expect(signIn.identifier).toBeVisible()
  } finally {
    first.stop()
    second.stop()
  }
})

test('a session that is ended in the profile ends in its applications, with and without back-channel logout', async ({
  page,
  browser,
}) => {
  test.slow()
  const first = await startRelyingParty('next-auth', 'procurement')
  const second = await startRelyingParty('openid-client', 'warehouse', { hears: false })
  const t = ru.sessions
  const phone = await browser.newContext({
    baseURL: process.env.PUBLIC_URL,
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  })
  try {
    await signInAs(phone, 'services')
    const away = await phone.newPage()
    await away.goto(`${second.origin}/sign-in`)
    await expect(signOut(away)).toBeVisible()
    await enterByNextAuth(away, first.origin)
    await expect(signOut(away)).toBeVisible()

    await signInAs(page.context(), 'services')
    await page.goto('/platform/profile/sessions')
    await page
      .getByRole('article')
      .filter({ hasText: 'Safari 18' })
      .first()
      .getByRole('button', { name: t.end })
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: t.end, exact: true }).click()
    await expect(page.getByRole('alertdialog')).toBeHidden()

    await expect.poll(told(first.clientId)).toEqual(['sent'])
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
