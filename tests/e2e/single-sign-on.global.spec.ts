import { eq, inArray } from 'drizzle-orm'
import { startApplications } from '@/bin/demo/applications'
import { db } from '@/db/client'
import { applications, oidcClients } from '@/db/schema'
import { ownApplications, ownClientId, placeApplications } from '@/db/seed/demo/own-applications'
import { invalidate } from '@/lib/base/cache/cache'
import { expect, test } from './fixtures'
import { leavesNothing } from './nothing-left'
import { ownPerson } from './own-people'
import { logoutsOf } from './relying-party'
import { SignInPage } from './sign-in-page'
import { signInAs } from './signed-in'
import { spokenIn } from './spoken'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)

// the tiles of the demo's applications lead elsewhere meanwhile
test('a tile opens an application of the demo, where the person can sign out', { tag: '@full' }, async ({
  page,
  context,
  baseURL,
}) => {
  const demo = await startApplications(baseURL ?? '')
  const { procurement, warehouse, partner } = demo.origins
  const before = await db()
    .select({ code: applications.code, url: applications.url })
    .from(applications)
    .where(inArray(applications.code, ownApplications))
  try {
    await db().transaction((tx) => placeApplications(tx, demo.origins))
    const employee = await ownPerson('employee')
    await signInAs(context, employee.login, language)
    const tile = page.getByRole('main').getByRole('link', { name: language === 'ru' ? 'Склад' : 'Warehouse' })
    await expect(async () => {
      await page.goto('/platform/apps')
      await expect(tile).toHaveAttribute('href', `${warehouse}/`, { timeout: 500 })
    }).toPass()
    await tile.click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(employee.fio)
    expect(page.url()).toBe(`${warehouse}/`)
    await expect(page.getByText('warehouse.stock.read')).toBeVisible()
    // the other application doesn't ask, and has a link to the portal
    await page.goto(procurement)
    await expect(page.getByText('procurement.orders.read')).toBeVisible()
    await page.getByRole('link', { name: /На портал|To the portal/ }).click()
    await expect(page).toHaveURL('/platform/apps')

    await page.goto(warehouse)
    await page.getByRole('button', { name: /Выйти|Sign out/ }).click()
    await expect(page.getByRole('heading', { name: words.oidc.logout.title })).toBeVisible()
    await page.getByRole('button', { name: words.oidc.logout.confirm }).click()
    await expect(page.getByRole('heading', { name: /Вы вышли|You are signed out/ })).toBeVisible()
    await expect.poll(logoutsOf('demo-procurement')).toEqual(['sent'])
    await page.goto(procurement)
    await expect(new SignInPage(page, language).identifier).toBeVisible()

    // if the person refuses at the platform, the application shows that
    await signInAs(context, (await ownPerson('oneService')).login, language)
    await page.goto(partner)
    await page.getByRole('button', { name: words.consent.refuse }).click()
    await expect(page.getByText('access_denied')).toBeVisible()
  } finally {
    demo.stop()
    await db().transaction(async (tx) => {
      await tx.delete(oidcClients).where(inArray(oidcClients.clientId, ownApplications.map(ownClientId)))
      for (const { code, url } of before) await tx.update(applications).set({ url }).where(eq(applications.code, code))
      for (const cache of ['applications', 'oidc-clients']) await invalidate(tx, cache)
    })
  }
})
