import type { BrowserContext, Page } from '@playwright/test'
import { like } from 'drizzle-orm'
import { db } from '@/db/client'
import { users } from '@/db/schema/people'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { users: t, ui } = words
const prefix = 'e2e-bulk'
const path = `/platform/setting/users?filter[search]=${prefix}`

const forget = () =>
  db()
    .delete(users)
    .where(like(users.login, `${prefix}%`))
/** More people than a page of the list shows. */
test.beforeAll(async ({ database: _ }) => {
  await forget()
  for (let n = 0; n < 21; n++) await createUser({ login: `${prefix}.${n}` })
})
test.afterAll(forget)

/** Opens a page of the list in a window of this size. */
async function open(page: Page, context: BrowserContext, size: { width: number; height: number }, perPage = 10) {
  await page.setViewportSize(size)
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}&meta[perPage]=${perPage}`)
  await takenOver(page)
}

/** Where each row is in the window. */
const places = (page: Page) =>
  page.locator('main tbody tr').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().y))
const boxOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect()
    return { top, bottom, left, right, window: window.innerHeight }
  })

for (const width of [1440, 820, 360]) {
  test(`choosing a row moves nothing at ${width}`, { tag: '@full' }, async ({ page, context, axe }) => {
    await open(page, context, { width, height: 900 }, 20)
    const main = page.locator('main')
    const bar = page.getByRole('region', { name: ui.bulk.label })
    const search = page.getByRole('textbox', { name: t.search })
    const tools = await boxOf(page, 'main div:has(> div > search)')
    const before = await places(page)
    expect(before).toHaveLength(20)
    const second = await main.getByRole('checkbox').nth(1).boundingBox()
    await main.getByRole('checkbox').first().click()
    await expect(bar).toBeVisible()
    expect(await places(page)).toEqual(before)
    // the next click hits the row that was there before
    await page.mouse.click((second?.x ?? 0) + 5, (second?.y ?? 0) + 5)
    await expect(main.getByRole('checkbox').nth(1)).toBeChecked()
    await expect(bar.getByRole('button', { name: ui.bulk.page.split('{')[0] })).toBeVisible()
    const { top, bottom, left, right, window } = await boxOf(page, '[data-bulk-bar]')
    if (width < 768) {
      expect(window - bottom).toBeLessThan(16)
      expect(bottom - top).toBeLessThan(140)
      await expect(search).toBeVisible()
    } else {
      const off = [top - tools.top, bottom - tools.bottom, left - tools.left, right - tools.right].map(Math.abs)
      expect(Math.max(...off)).toBeLessThanOrEqual(1)
      await expect(search).toBeHidden()
    }
    await axe(page)
    await main.getByRole('checkbox').first().click()
    await main.getByRole('checkbox').nth(1).click()
    await expect(bar).toHaveCount(0)
    await expect(search).toBeVisible()
    expect(await places(page)).toEqual(before)
  })
}

test('the search comes back while rows are chosen, and the bar is then at the bottom', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await open(page, context, { width: 1440, height: 900 })
  const bar = page.getByRole('region', { name: ui.bulk.label })
  await page.locator('main').getByRole('checkbox').first().click()
  const before = await places(page)
  await bar.getByRole('button', { name: ui.bulk.tools }).click()
  await expect(page.getByRole('textbox', { name: t.search })).toBeFocused()
  expect(await places(page)).toEqual(before)
  await expect(bar.getByRole('button', { name: t.bulkAct })).toBeInViewport({ ratio: 1 })
  await page.emulateMedia({ forcedColors: 'active' })
  expect(await bar.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('1px')
})

test('on a phone the last row isn’t under the bar', { tag: '@full' }, async ({ page, context }) => {
  await open(page, context, { width: 360, height: 780 })
  await page.locator('main').getByRole('checkbox').first().click()
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  const last = await boxOf(page, 'main tbody tr:last-child')
  expect(last.bottom).toBeLessThanOrEqual((await boxOf(page, '[data-bulk-bar]')).top)
  await page.locator('main').getByRole('checkbox').last().click()
  // also when it goes: then its room stays
  const before = await places(page)
  await page.locator('main').getByRole('checkbox').last().click()
  expect(await places(page)).toEqual(before)
})
