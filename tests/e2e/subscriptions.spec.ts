import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asPerson } from './signed-in'
import { spokenIn } from './spoken'

const { language, words: t } = spokenIn(import.meta.filename)

const path = '/platform/profile/subscribes'

const { names, channels, groups, periods, inMail } = t.subscriptions
const row = (page: Page, name: string) =>
  page.locator('main li').filter({ has: page.getByRole('heading', { name, exact: true }) })
const edit = (page: Page, group: string) => page.getByRole('button', { name: `${t.ui.edit}: ${group}` }).click()
const part = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: t.ui.save, exact: true })

test('people choose what they are told of, how and how often', async ({ page, context }) => {
  const { login } = await createUser()
  await asPerson(context, login, language)
  await page.goto('/platform/profile/personal')
  await page.getByRole('link', { name: t.shell.screens.UserProfileSubscribes }).first().click()
  const news = row(page, names.news)
  await expect(news).not.toContainText(channels.email)
  await edit(page, groups.events)
  const form = part(page, names.news)
  await form.getByRole('switch', { name: channels.email }).click()
  await form.getByRole('combobox', { name: t.subscriptions.period }).click()
  await page.getByRole('option', { name: periods.weekly }).click()
  await form.getByRole('switch', { name: channels.local }).click()
  await save(page).click()
  await expect(news).toContainText(t.subscriptions.mailWith.replace('{period}', inMail.weekly))
  await expect(news).not.toContainText(channels.local)
  await page.reload()
  await expect(news).toContainText(inMail.weekly)

  // mails about security have no switch
  await edit(page, groups.security)
  const security = part(page, names.newDevice)
  await expect(security.getByText(t.subscriptions.alwaysNote)).toBeVisible()
  await expect(security.getByRole('switch')).toHaveCount(2)
})

test('what can’t be saved stays in the form, and a save that came too late asks', { tag: '@full' }, async ({
  page,
  context,
}) => {
  const { login, id } = await createUser()
  await asPerson(context, login, language)
  await page.goto(path)
  await edit(page, groups.events)
  const sms = part(page, names.invitation).getByRole('switch', { name: channels.sms })
  await sms.click()
  await db().update(users).set({ mobile: null }).where(eq(users.id, id))
  await save(page).click()
  await expect(sms).toHaveAccessibleDescription(t.errors.errorSubscribeContact)
  await expect(sms).toBeChecked()
  await sms.click()

  // the same person saved it in another tab meanwhile
  const headers = { origin: process.env.PUBLIC_URL ?? '' }
  const news = { subscribeId: 'news', channelId: 'email', enabled: true, period: 'daily' }
  const address = `${process.env.PUBLIC_URL}/api/v1/platform/user/profile/subscribes`
  const answer = await context.request.put(address, { data: { subscribes: [news] }, headers })
  expect(answer.status()).toBe(200)
  // without mails there is nothing to choose
  await expect(part(page, names.news).getByRole('combobox')).toBeDisabled()
  await part(page, names.news).getByRole('switch', { name: channels.email }).click()
  await part(page, names.news).getByRole('combobox').click()
  await page.getByRole('option', { name: periods.weekly }).click()
  await save(page).click()
  const panel = page.getByRole('group', { name: t.ui.conflict.label })
  await expect(panel).toBeFocused()
  await panel.getByRole('radio', { name: periods.weekly }).check()
  await save(page).click()
  await expect(row(page, names.news)).toContainText(inMail.weekly)
})
