import type { BrowserContext, Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { notifyMethods } from '@/db/schema'
import { invalidate } from '@/lib/base/cache/cache'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { asOwn, asPerson } from './signed-in'
import { spokenIn } from './spoken'

leavesNothing()

const { language, words: t } = spokenIn(import.meta.filename)
const { names, channels, groups } = t.subscriptions
const path = '/platform/profile/subscribes'

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

test.afterEach(() =>
  db().transaction(async (tx) => {
    await tx.update(notifyMethods).set({ enabled: true }).where(eq(notifyMethods.id, 'sms'))
    await invalidate(tx, 'notify-methods')
  }),
)

test('a way that an administrator switches off is offered to nobody, until it is on again', { tag: '@full' }, async ({
  page,
  context,
}) => {
  const { login } = await createUser()
  const offered = async () => {
    await asPerson(context, login, language)
    await page.goto(path)
    await page.getByRole('button', { name: `${t.ui.edit}: ${groups.events}` }).click()
    const part = page.getByRole('group', { name: names.invitation, exact: true })
    await expect(part.getByRole('switch', { name: channels.local })).toBeVisible()
    return part.getByRole('switch', { name: channels.sms }).count()
  }
  expect(await offered()).toBe(1)
  // an open form would ask before it is left
  await page.goto('about:blank')
  await asOwn(context, 'administrator', language)
  await page.goto(waysPath)
  await press(page, ways.switchOff)
  await expect(sms(page)).toContainText(ways.off)
  await page.goto('about:blank')
  expect(await offered()).toBe(0)
  await page.goto('about:blank')
  await asOwn(context, 'administrator', language)
  await page.goto(waysPath)
  await press(page, ways.switchOn)
  await expect(sms(page)).toContainText(ways.on)
})

test('who comes too late sees the new state of a way, and who may only read switches none', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await asOwn(context, 'administrator', language)
  await page.goto(waysPath)
  await expect(sms(page)).toContainText(ways.on)
  await put(context, false)
  await page.getByRole('button', { name: `${ways.switchOff}: ${ways.names.sms}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ways.switchOff }).click()
  await expect(sms(page)).toContainText(ways.off)
  await expect(page.getByRole('button', { name: `${ways.switchOn}: ${ways.names.sms}` })).toBeVisible()
  await put(context, true)
  await page.goto('about:blank')
  await asOwn(context, 'auditor', language)
  await page.goto(waysPath)
  await expect(sms(page)).toBeVisible()
  await expect(page.locator('main').getByRole('button')).toHaveCount(0)
})
