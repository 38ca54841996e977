import type { Page } from '@playwright/test'
import { db } from '@/db/client'
import { notices } from '@/db/schema'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { person } from './people'
import { asPerson, signInAs, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { notices: t, snackbar, ui } = words

const label = (text: string, count: number) => new RegExp(`${text}: ${count}`)
const recent = (page: Page) =>
  page.locator('main section').filter({ has: page.getByRole('heading', { name: t.recent }) })

test('a sign-in elsewhere stands in both tabs at once, and is read in both', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const { login } = await person(['credentials'])
  await asPerson(context, login, language)
  await page.goto('/platform/notify')
  await expect(page.getByText(t.empty)).toBeVisible()
  const second = await context.newPage()
  await second.goto('/platform/profile/sessions')
  await expect(second.getByRole('button', { name: t.bell, exact: true })).toBeVisible()

  const other = await browser.newContext({ baseURL })
  await signInAs(other, login, language)
  await other.close()
  await expect(page.locator('main').getByRole('link', { name: t.kinds.newDevice.title })).toHaveCount(1)
  await expect(second.getByRole('button', { name: label(t.bell, 1) })).toBeVisible()
  await expect(second.getByRole('status').filter({ hasText: t.kinds.newDevice.title })).toHaveCount(1)

  await second.getByRole('button', { name: label(t.bell, 1) }).press('Enter')
  const panel = second.getByRole('dialog', { name: t.title })
  await expect(panel.getByRole('listitem')).toHaveCount(1)
  await panel.getByRole('button', { name: t.readAll }).click()
  await expect(second.getByRole('button', { name: t.bell, exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: t.bell, exact: true })).toBeVisible()
  await expect(page.locator('main').getByRole('button', { name: t.readAll })).toHaveCount(0)
})

test('the profile’s first page shows a notice at once, and no more than the last three', {
  tag: '@full',
}, async ({ page, context, browser, baseURL }) => {
  const { id, login } = await person(['credentials'])
  await asPerson(context, login, language)
  await page.goto('/platform/profile')
  await takenOver(page)
  await expect(recent(page)).toHaveCount(0)
  const other = await browser.newContext({ baseURL })
  await signInAs(other, login, language)
  await other.close()
  await expect(recent(page).getByRole('link', { name: t.kinds.newDevice.title })).toHaveCount(1)

  const older = ['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => ({
    userId: id,
    kind: 'roleTaken',
    cause: day,
    values: { role: day },
    date: new Date(day),
  }))
  await db().insert(notices).values(older)
  await page.reload()
  const items = recent(page).getByRole('listitem')
  await expect(items).toHaveText([new RegExp(t.kinds.newDevice.title), /2026-01-03/, /2026-01-02/])
  await recent(page).getByRole('link', { name: t.all }).click()
  await expect(page).toHaveURL('/platform/notify')
  await expect(page.locator('main').getByRole('listitem')).toHaveCount(4)
  // a list without a search has the same tools as the others: the filter is as wide as its words
  const filter = await page.getByRole('button', { name: ui.list.addFilter, exact: true }).boundingBox()
  expect(filter?.width).toBeLessThan(200)

  // following one marks it as read
  await page.goBack()
  await items.first().getByRole('link').click()
  await expect(page).toHaveURL('/platform/profile/sessions')
  await expect(page.getByRole('button', { name: label(t.bell, 3) })).toBeVisible()
})

test.describe('without an answer', () => {
  test.use({ provoked: /net::ERR_FAILED/ })

  test('a notice that can’t be marked as read stays unread and says so', {
    tag: '@full',
  }, async ({ page, context }) => {
    const { id, login } = await person(['credentials'])
    await db()
      .insert(notices)
      .values({ userId: id, kind: 'roleTaken', cause: 'unread', values: { role: 'E2E' }, date: new Date() })
    await asPerson(context, login, language)
    await page.goto('/platform/notify')
    const item = page
      .locator('main')
      .getByRole('listitem')
      .filter({ hasText: t.kinds.roleTaken.title.replace('{role}', 'E2E') })
    await expect(item).toHaveCount(1)
    await page.route('**/notify/personal-account/read', (route) => route.abort())
    await item.getByRole('button').click()
    await expect(page.getByText(snackbar.noticesReadError)).toBeVisible()
    await expect(item.getByText(t.unread)).toHaveCount(1)
    await page.unroute('**/notify/personal-account/read')
    await item.getByRole('button').click()
    await expect(item.getByText(t.unread)).toHaveCount(0)
  })
})
