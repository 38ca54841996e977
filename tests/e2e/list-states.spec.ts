import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { open, path, t } from './gallery-page'

const names = (page: Page) => page.getByRole('rowheader')
/** The gallery's list reads it: see its page. */
const provoked = 'platform-gallery-list'

test('a list says that it loads: at first in the place of its rows, later by marking those that are there', async ({
  page,
  context,
  baseURL,
}) => {
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
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/sort=desc/, async (route) => {
    await held
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
    await retry.click()
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
