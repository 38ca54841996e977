import type { BrowserContext, Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import { expect, test } from './fixtures'
import { person } from './people'
import { asPerson, signInAs } from './signed-in'
import { wordsOf } from './words'

const path = '/platform/profile/subscribes'

for (const language of ['ru', 'en'] as const) {
  const t = wordsOf(language)
  const { names, channels, groups, periods, inMail } = t.subscriptions
  const row = (page: Page, name: string) =>
    page.locator('main li').filter({ has: page.getByRole('heading', { name, exact: true }) })
  const edit = (page: Page, group: string) => page.getByRole('button', { name: `${t.ui.edit}: ${group}` }).click()
  const part = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
  const save = (page: Page) => page.getByRole('button', { name: t.ui.save, exact: true })

  test(`people choose what they are told of, how and how often (${language})`, async ({ page, context }) => {
    const { login } = await person(['credentials'])
    await signInAs(context, login, language)
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

  test(`what can’t be saved stays in the form, and a save that came too late asks (${language})`, async ({
    page,
    context,
  }) => {
    const { login, id } = await person(['credentials'])
    await signInAs(context, login, language)
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

  // in this file, because people here choose among the ways
  const ways = t['notify-methods']
  const waysPath = '/platform/setting/options/users/notify-methods'
  const sms = (page: Page) => page.locator('main li').filter({ hasText: new RegExp(`^${ways.names.sms}`) })
  const press = async (page: Page, verb: string) => {
    await page.getByRole('button', { name: `${verb}: ${ways.names.sms}` }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText(ways.names.sms)
    await question.getByRole('button', { name: verb }).click()
    await expect(question).toBeHidden()
  }
  const put = async (context: BrowserContext, enabled: boolean) => {
    const headers = { origin: process.env.PUBLIC_URL ?? '' }
    const address = `${process.env.PUBLIC_URL}/api/v1/platform/setting/subscribes/notify-methods/sms/enabled`
    const answer = await context.request.put(address, { data: { enabled }, headers })
    expect(answer.status(), await answer.text()).toBe(200)
  }

  test(`a way that an administrator switches off is offered to nobody, until it is on again (${language})`, async ({
    page,
    context,
  }) => {
    const { login } = await person(['credentials'])
    const offered = async () => {
      await signInAs(context, login, language)
      await page.goto(path)
      await edit(page, groups.events)
      await expect(part(page, names.invitation).getByRole('switch', { name: channels.local })).toBeVisible()
      return part(page, names.invitation).getByRole('switch', { name: channels.sms }).count()
    }
    expect(await offered()).toBe(1)
    // an open form would ask before it is left
    await page.goto('about:blank')
    await asPerson(context, 'admin', language)
    await page.goto(waysPath)
    await press(page, ways.switchOff)
    await expect(sms(page)).toContainText(ways.off)
    await page.goto('about:blank')
    expect(await offered()).toBe(0)
    await page.goto('about:blank')
    await asPerson(context, 'admin', language)
    await page.goto(waysPath)
    await press(page, ways.switchOn)
    await expect(sms(page)).toContainText(ways.on)
  })

  test(`who comes too late sees the new state of a way, and who may only read switches none (${language})`, async ({
    page,
    context,
  }) => {
    await asPerson(context, 'admin', language)
    await page.goto(waysPath)
    await expect(sms(page)).toContainText(ways.on)
    await put(context, false)
    await page.getByRole('button', { name: `${ways.switchOff}: ${ways.names.sms}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: ways.switchOff }).click()
    await expect(sms(page)).toContainText(ways.off)
    await expect(page.getByRole('button', { name: `${ways.switchOn}: ${ways.names.sms}` })).toBeVisible()
    await put(context, true)
    await page.goto('about:blank')
    await asPerson(context, 'auditor', language)
    await page.goto(waysPath)
    await expect(sms(page)).toBeVisible()
    await expect(page.locator('main').getByRole('button')).toHaveCount(0)
  })
}
