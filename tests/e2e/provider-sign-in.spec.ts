import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { eq, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { providers, users } from '@/db/schema/people'
import { startOpenidProvider } from '../factories/openid-imitation'
import { expect, test } from './fixtures'
import { asPerson, takenOver } from './signed-in'
import { en, ru, wordsOf } from './words'

const path = '/platform/setting/providers'

test.afterEach(async ({ database: _ }) => {
  const own = await db().select({ id: providers.id }).from(providers).where(like(providers.name, 'E2E %'))
  for (const { id } of own) {
    await db().delete(users).where(eq(users.providerId, id))
    await db().delete(providers).where(eq(providers.id, id))
  }
})

/** Adds an OpenID provider as an administrator does: checks it, offers it, gives it mappers and switches it on. */
async function connect(page: Page, openid: Awaited<ReturnType<typeof startOpenidProvider>>) {
  const { domains, providers: t, 'provider-mappers': mappers, ui } = ru
  await page.goto(path)
  await page.getByRole('button', { name: t.create }).click()
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  const name = `E2E ${randomUUID().slice(0, 8)}`
  await dialog.getByLabel(t.type).click()
  await page.getByRole('option', { name: t.types.oidc, exact: true }).click()
  for (const [label, value] of [
    [t.name, name],
    [t.url, openid.issuer],
    [t.clientId, openid.clientId],
    [t.clientSecret, openid.secret],
  ] as const)
    await dialog.getByLabel(label, { exact: true }).fill(value)
  await dialog.getByRole('button', { name: t.check }).click()
  await expect(dialog.getByRole('status').filter({ hasText: t.checkOkOpenid })).toBeVisible()
  await dialog.getByLabel(t.domains, { exact: true }).click()
  await page.getByRole('option', { name: domains.baseName }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await page.getByRole('link', { name }).click()
  await expect(page.getByText(/auth\/providers\/.*\/callback/)).toBeVisible()
  await page.getByRole('button', { name: ui.enable }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.enable }).click()
  await page.getByRole('link', { name: t.tabs.mappers }).click()
  await page.getByRole('button', { name: mappers.addBase }).click()
  await expect(page.getByText('preferred_username', { exact: true })).toBeVisible()
  return name
}

test('an administrator connects a provider; people sign in through it, refuse there, and link it', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  test.setTimeout(120_000)
  const openid = await startOpenidProvider()
  await asPerson(context, 'admin')
  const name = await connect(page, openid)
  for (const language of ['ru', 'en'] as const) {
    const t = wordsOf(language)
    const login = `e2e-${randomUUID().slice(0, 8)}`
    openid.person = {
      ...{ sub: randomUUID(), email: `${login}@outside.example`, email_verified: true, preferred_username: login },
      ...{ given_name: 'Вера', family_name: 'Входова' },
    }
    const stranger = await browser.newContext({ baseURL: baseURL ?? '' })
    await stranger.addCookies([{ name: 'locale', value: language, url: baseURL ?? '' }])
    const own = await stranger.newPage()
    await own.goto('/platform/login')
    const button = own.getByRole('link', { name: t['provider-sign-in'].through.replace('{name}', name) })
    await button.click()
    await own.getByRole('link', { name: 'Refuse' }).click()
    await expect(own.getByText(t['provider-sign-in'].refusals.canceled)).toBeVisible()
    await button.click()
    await own.getByRole('link', { name: 'Agree' }).click()
    await expect(own).toHaveURL(/\/platform\/(profile|apps)/)
    await stranger.close()
  }

  const person = await browser.newContext({ baseURL: baseURL ?? '' })
  await asPerson(person, 'services')
  const own = await person.newPage()
  const taken = openid.person
  await own.goto('/platform/profile/personal')
  const link = own.getByRole('button', { name: `${ru['provider-sign-in'].link}: ${name}` })
  await link.click()
  await own.getByRole('link', { name: 'Agree' }).click()
  await takenOver(own)
  await expect(own.getByText(ru['provider-sign-in'].takenByOther)).toBeVisible()
  openid.person = { ...taken, sub: randomUUID() }
  await link.click()
  await own.getByRole('link', { name: 'Agree' }).click()
  await takenOver(own)
  await expect(own.getByText(ru['provider-sign-in'].linked)).toBeVisible()
  await own.getByRole('button', { name: `${ru['provider-sign-in'].unlink}: ${name}` }).click()
  await own.getByRole('alertdialog').getByRole('button', { name: ru['provider-sign-in'].unlink }).click()
  await expect(link).toBeVisible()
  await person.close()
  expect(en['provider-sign-in'].link).not.toBe(ru['provider-sign-in'].link)
})
