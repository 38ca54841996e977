import type { Page } from '@playwright/test'
import { expect } from './fixtures'
import { open, path, t } from './gallery-page'
import { test } from './lasting-context'

const names = (page: Page) => page.getByRole('rowheader')
/** The gallery's list reads it: see its page. */
const provoked = 'platform-gallery-list'

test('a list says that it loads: at first in the place of its rows, later by marking those that are there', {
  tag: '@full',
}, async ({ page, context, baseURL }) => {
  const loading = page.getByText(t.ui.loading)
  await context.addCookies([{ name: provoked, value: 'waits', url: baseURL ?? '' }])
  await page.goto(`${path}/list`, { waitUntil: 'commit' })
  await expect(loading).toBeAttached()
  await expect(loading).not.toBeAttached()
  await context.clearCookies({ name: provoked })
  await open(page, `${path}/list`)
  const rows = page
    .locator('main')
    .locator('[aria-busy=true]')
    .filter({ has: page.getByRole('table') })
  await expect(rows).toHaveCount(0)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/sort=desc/, async (route) => {
    await released
    await route.fallback()
  })
  await page.getByRole('columnheader', { name: t.aliases.name }).getByRole('link').press('Enter')
  await expect(rows).toHaveCount(1)
  await expect(names(page).first()).toBeVisible()
  release()
  await expect(rows).toHaveCount(0)
  expect(new URL(page.url()).searchParams.get('sort')).toBe('desc')
})

test.describe('a list that can’t be loaded', () => {
  test.use({ provoked: /React error #441/ })

  test('says so in its place with a code, and is tried again by its button and at another address', async ({
    page,
    context,
    baseURL,
  }) => {
    const fail = () => context.addCookies([{ name: provoked, value: 'fails', url: baseURL ?? '' }])
    const failed = page.getByRole('alert').filter({ hasText: t.ui.failure.list })
    const retry = failed.getByRole('button', { name: t.ui.failure.retry })
    await fail()
    await open(page, `${path}/list`)
    await expect(failed).toContainText(t.ui.failure.code)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t.aliases.title)
    const again = page.waitForResponse((answer) => new URL(answer.url()).pathname === `${path}/list`)
    await retry.click()
    await again
    await expect(failed).toBeVisible()
    await context.clearCookies({ name: provoked })
    await retry.click()
    await expect(names(page)).toHaveCount(20)
    await expect(failed).toBeHidden()

    await fail()
    await page.getByRole('columnheader', { name: t.aliases.name }).getByRole('link').click()
    await expect(failed).toBeVisible()
    await context.clearCookies({ name: provoked })
    await page.goBack()
    await expect(names(page)).toHaveCount(20)
    await expect(failed).toBeHidden()
  })
})

test('a list in which nothing is found names what is to blame, and offers to remove just that', {
  tag: '@full',
}, async ({ page }) => {
  const { list } = t.ui
  const main = page.locator('main')
  const reset = main.getByRole('link', { name: list.reset, exact: true })
  const search = 'zzzz'
  await open(page, `${path}/list?filter[search]=${search}`)
  await expect(main.getByRole('heading', { name: `По запросу «${search}» ничего не найдено` })).toBeVisible()
  await expect(reset).toHaveCount(0)
  await expect(main.getByRole('link', { name: list.noneReset })).toHaveCount(0)
  await main.getByRole('link', { name: list.clearSearch }).click()
  await expect(names(page)).toHaveCount(20)
  await expect(page.getByRole('textbox', { name: t.aliases.search })).toHaveValue('')

  await open(page, `${path}/list?filter[subnet]=192.0.2.7`)
  await expect(main.getByRole('heading', { name: list.noneTitle })).toBeVisible()
  await expect(reset).toBeHidden()
  await main.getByRole('link', { name: list.noneReset, exact: true }).click()
  await expect(names(page)).toHaveCount(20)

  await open(page, `${path}/list?filter[search]=${search}&filter[used]=true`)
  await expect(main.getByRole('heading', { name: search })).toBeVisible()
  await expect(main.getByText(list.noMatchFiltersText)).toBeVisible()
  await expect(reset).toBeHidden()
  await main.getByRole('link', { name: list.noMatchReset, exact: true }).click()
  await expect(names(page)).toHaveCount(20)
  expect(new URL(page.url()).search).toBe('')
})

test('a list that fits on the smallest page has no pager, a longer one has it whatever its page size', {
  tag: '@full',
}, async ({ page }) => {
  const pager = page.getByRole('navigation', { name: t.ui.list.pages })
  await open(page, `${path}/list?filter[subnet]=10.20.2&filter[used]=false`)
  const few = await names(page).count()
  expect(few).toBeGreaterThan(0)
  expect(few).toBeLessThanOrEqual(10)
  await expect(pager).toHaveCount(0)
  await expect(page.locator('main').getByText(`1–${few} из ${few}`)).toBeVisible()
  await open(page, `${path}/list?filter[used]=false&meta[perPage]=100`)
  await expect(names(page)).toHaveCount(12)
  await expect(pager.getByRole('button', { name: 'На странице: 100' })).toBeVisible()
})
