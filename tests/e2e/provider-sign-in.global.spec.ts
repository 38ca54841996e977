import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { eq, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { providers, users } from '@/db/schema/people'
import { domains } from '@/db/schema/platform'
import { startOpenidProvider } from '../factories/openid-imitation'
import { first } from '../factories/platform'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { speak } from './people'
import { asOwn, takenOver } from './signed-in'
import { spokenIn } from './spoken'

// a provider of the base domain is on everybody's sign-in page
leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { providers: t, 'provider-mappers': mappers, 'provider-sign-in': s, ui } = words
const path = '/platform/setting/providers'
const prefix = 'E2E provider '

test.afterEach(async ({ database: _ }) => {
  const ownProviders = await db()
    .select({ id: providers.id })
    .from(providers)
    .where(like(providers.name, `${prefix}%`))
  for (const { id } of ownProviders) {
    await db().delete(users).where(eq(users.providerId, id))
    await db().delete(providers).where(eq(providers.id, id))
  }
})

const baseDomain = async () => first(await db().select().from(domains).where(eq(domains.base, true)))

/** Adds an OpenID provider as an administrator does: checks it, offers it, gives it mappers and switches it on. */
async function connect(page: Page, openid: Awaited<ReturnType<typeof startOpenidProvider>>) {
  await page.goto(path)
  await page.getByRole('button', { name: t.create }).click()
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  const name = `${prefix}${randomUUID().slice(0, 8)}`
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
  // a domain without addresses is called by its comment
  await page.getByRole('option', { name: (await baseDomain()).comment }).click()
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

test('an administrator connects a provider; people sign in through it, and refuse there', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const openid = await startOpenidProvider()
  await asOwn(context, 'administrator', language)
  const name = await connect(page, openid)
  const login = `e2e-${randomUUID().slice(0, 8)}`
  openid.person = {
    ...{ sub: randomUUID(), email: `${login}@outside.example`, email_verified: true, preferred_username: login },
    ...{ given_name: 'Вера', family_name: 'Входова' },
  }
  const stranger = await browser.newContext({ baseURL })
  await speak(stranger, language, baseURL)
  const entry = await stranger.newPage()
  await entry.goto('/platform/login')
  const button = entry.getByRole('link', { name: s.through.replace('{name}', name) })
  await button.click()
  await entry.getByRole('link', { name: 'Refuse', exact: true }).click()
  await expect(entry.getByText(s.refusals.canceled)).toBeVisible()
  await button.click()
  await entry.getByRole('link', { name: 'Agree', exact: true }).click()
  await expect(entry).toHaveURL(/\/platform\/(profile|apps)/)
  await stranger.close()
})

test('people link an account of a provider, which nobody else can link, and unlink it', {
  tag: '@full',
}, async ({ page, context, browser, baseURL }) => {
  const openid = await startOpenidProvider()
  const name = `${prefix}${randomUUID().slice(0, 8)}`
  await asOwn(context, 'administrator', language)
  const calls = `${baseURL}/api/v1/platform/setting/providers`
  const headers = { origin: baseURL ?? '' }
  const data = {
    ...{ type: 'oidc', name, url: openid.issuer, clientId: openid.clientId, clientSecret: openid.secret },
    ...{ scopes: ['profile', 'email'], domains: [(await baseDomain()).id] },
  }
  const { id } = await (await context.request.post(calls, { data, headers })).json()
  await context.request.put(`${calls}/${id}/enabled`, { data: { enabled: true }, headers })

  await asOwn(context, 'employee', language)
  await page.goto('/platform/profile/personal')
  const linkOn = (ownPage: Page) => ownPage.getByRole('button', { name: `${s.link}: ${name}` })
  const agree = async (ownPage: Page) => {
    await linkOn(ownPage).click()
    await ownPage.getByRole('link', { name: 'Agree', exact: true }).click()
    await takenOver(ownPage)
  }
  await agree(page)
  await expect(page.getByText(s.linked)).toBeVisible()

  const stranger = await browser.newContext({ baseURL })
  await asOwn(stranger, 'oneService', language)
  const other = await stranger.newPage()
  await other.goto('/platform/profile/personal')
  await agree(other)
  await expect(other.getByText(s.takenByOther)).toBeVisible()
  await stranger.close()

  await page.getByRole('button', { name: `${s.unlink}: ${name}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: s.unlink }).click()
  await expect(linkOn(page)).toBeVisible()
})
