import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { signInAs, takenOver } from './signed-in'
import { en, ru } from './words'

const words = {
  ru: { ...ru, counted: 'Всего больше 10\u00a0000' },
  en: { ...en, counted: 'More than 10,000 total' },
}
const path = '/platform/dev/ui/list'
const names = (page: Page) => page.getByRole('rowheader')
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
const speak = (context: BrowserContext, language: string) =>
  context.addCookies([{ name: 'locale', value: language, url: process.env.PUBLIC_URL ?? '' }])

for (const language of ['ru', 'en'] as const) {
  const { ui, gallery, counted } = words[language]

  test(`back and forward work without page numbers, by keyboard and without scripts, ${language}`, async ({
    page,
    context,
    browser,
    axe,
  }) => {
    await speak(context, language)
    await page.goto(`${path}?filter[used]=true&meta[perPage]=10`)
    await takenOver(page)
    await page.getByRole('link', { name: gallery.aliases.byCursor }).press('Enter')
    const pager = page.getByRole('navigation', { name: ui.list.pages })
    const back = pager.getByRole('link', { name: ui.list.back })
    const forward = pager.getByRole('link', { name: ui.list.forward })
    await expect(pager).toContainText(counted)
    const second = await names(page).allTextContents()
    expect(second).toHaveLength(10)

    await forward.press('Enter')
    await expect(names(page)).toHaveCount(5)
    expect([param(page, 'filter[used]'), param(page, 'meta[perPage]')]).toEqual(['true', '10'])
    await expect(forward).toBeFocused()
    await expect(forward).toHaveAttribute('aria-disabled', 'true')
    await axe(page)
    await back.press('Enter')
    await expect(names(page)).toHaveText(second)
    await expect(back).toBeFocused()
    expect([param(page, 'meta[after]'), param(page, 'meta[page]')]).toEqual([null, null])

    const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.PUBLIC_URL })
    await speak(plain, language)
    const still = await plain.newPage()
    await still.goto(page.url())
    await expect(names(still)).toHaveText(second)
    const steps = still.getByRole('navigation', { name: ui.list.pages })
    await steps.getByRole('link', { name: ui.list.forward }).click()
    await expect(names(still)).toHaveCount(5)
    await steps.getByRole('link', { name: ui.list.back }).click()
    await expect(names(still)).toHaveText(second)
    await plain.close()
  })
}

test('more sessions than one page: forward and back work; a cursor of another sort leads to the beginning', async ({
  page,
  context,
  browser,
}) => {
  test.slow()
  for (let n = 0; n < 11; n++) {
    const other = await browser.newContext({ baseURL: process.env.PUBLIC_URL })
    await signInAs(other, 'empty-fields')
    await other.close()
  }
  await signInAs(context, 'empty-fields')
  await page.goto('/platform/profile/sessions?meta[perPage]=10')
  await takenOver(page)
  const { list } = words.ru.ui
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(10)
  await page.getByRole('link', { name: list.forward }).click()
  await expect(page).toHaveURL(/meta%5Bafter%5D=/)
  await expect(cards).not.toHaveCount(10)
  const rest = await cards.count()
  expect(rest).toBeGreaterThanOrEqual(2)
  const address = page.url()
  await page.getByRole('link', { name: list.back }).click()
  await expect(cards).toHaveCount(10)
  await page.goto(`${address}&sort=asc`)
  await expect(page).not.toHaveURL(/meta%5Bafter%5D=/)
  expect(param(page, 'sort')).toBe('asc')
  await expect(cards).toHaveCount(10)
})

test('on a phone both steps are beside each other below the count, with equal widths', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto(path)
  const { list } = words.ru.ui
  const pager = page.getByRole('navigation', { name: list.pages })
  const boxOf = async (name: string) => {
    const box = await pager.getByRole('link', { name }).boundingBox()
    if (!box) throw new Error(`${name} is not on the page`)
    return box
  }
  const [back, forward] = [await boxOf(list.back), await boxOf(list.forward)]
  expect(back.y).toBe(forward.y)
  expect(Math.abs(back.width - forward.width)).toBeLessThan(1)
})

test('a step by mouse scrolls to the beginning of the new page; a step by key doesn’t scroll', async ({ page }) => {
  await page.goto(path)
  await takenOver(page)
  const { list } = words.ru.ui
  const pager = page.getByRole('navigation', { name: list.pages })
  const first = await names(page).first().textContent()
  await pager.getByRole('link', { name: list.forward }).click()
  await expect(names(page).first()).not.toHaveText(first ?? '')
  await expect(names(page).first()).toBeInViewport()
  await pager.getByRole('link', { name: list.back }).focus()
  const before = await page.evaluate(() => window.scrollY)
  await page.keyboard.press('Enter')
  await expect(names(page).first()).toHaveText(first ?? '')
  await expect(pager.getByRole('link', { name: list.back })).toBeFocused()
  expect(await page.evaluate(() => window.scrollY)).toBe(before)
})
