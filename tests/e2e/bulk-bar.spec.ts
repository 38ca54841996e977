import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { languages } from './sign-in-page'
import { asPerson, takenOver } from './signed-in'
import { en, ru } from './words'

const words = { ru, en }
const path = '/platform/setting/users'
const widths = [1440, 820, 360]

/** Where each row is in the window. */
const places = (page: Page) =>
  page.locator('main tbody tr').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().y))
const boxOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect()
    return { top, bottom, left, right, window: window.innerHeight }
  })

for (const language of languages) {
  const { users: t, ui } = words[language]

  for (const width of widths) {
    test(`choosing a row moves nothing at ${width}, ${language}`, async ({ page, context, axe, database: _ }) => {
      await page.setViewportSize({ width, height: 900 })
      await asPerson(context, 'admin', language)
      await page.goto(`${path}?meta[perPage]=20`)
      await takenOver(page)
      const main = page.locator('main')
      const bar = page.getByRole('region', { name: ui.bulk.label })
      const search = page.getByRole('textbox', { name: t.search })
      const tools = await boxOf(page, 'main div:has(> div > search)')
      const before = await places(page)
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

  test(`the search comes back while rows are chosen, and the bar is then at the bottom, ${language}`, async ({
    page,
    context,
    database: _,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await asPerson(context, 'admin', language)
    await page.goto(path)
    await takenOver(page)
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

  test(`on a phone the last row isn’t under the bar, ${language}`, async ({ page, context, database: _ }) => {
    await page.setViewportSize({ width: 360, height: 780 })
    await asPerson(context, 'admin', language)
    await page.goto(path)
    await takenOver(page)
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
}
