import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { open } from './gallery-page'
import { speak } from './people'
import { languages } from './sign-in-page'
import { asPerson, takenOver } from './signed-in'

// small things that people see (docs/design.md)

test('robots.txt lets search engines read pages, and no calls', async ({ request }) => {
  const answer = await request.get('/robots.txt')
  expect(answer.headers()['content-type']).toMatch(/^text\/plain/)
  expect((await answer.text()).trim().split('\n')).toEqual(['User-agent: *', 'Disallow: /api/', 'Disallow: /oidc/'])
})

/** The style of every element that is found. */
const stylesOf = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .evaluateAll(
      (all, name) => [...new Set(all.map((each) => getComputedStyle(each).getPropertyValue(name)))],
      property,
    )

test('addresses are set letter by letter, and no text of a list is so small that a dot blurs', async ({
  page,
  context,
}) => {
  await asPerson(context, 'admin')
  await page.goto('/platform/setting/domains')
  await takenOver(page)
  expect(await stylesOf(page, 'main .font-mono', 'font-feature-settings')).toEqual(['"calt" 0, "liga" 0'])
  const sizes = await stylesOf(page, 'main td, main td a', 'font-size')
  expect(sizes.every((size) => Number.parseFloat(size) >= 13)).toBe(true)
})

test('the last row of a list keeps the shape of its dots; its cells break at words', async ({ page }) => {
  await open(page, '/platform/dev/ui/list')
  const dots = page.locator('main tbody tr').last().locator('td:not(:first-child) .rounded-full')
  await expect(dots.first()).toBeVisible()
  for (const corner of ['top-left', 'top-right', 'bottom-left', 'bottom-right']) {
    const radii = await dots.evaluateAll(
      (all, name) => all.map((each) => getComputedStyle(each).getPropertyValue(`border-${name}-radius`)),
      corner,
    )
    expect(new Set(radii).size, corner).toBe(1)
    expect(Number.parseFloat(radii[0] ?? '')).toBeGreaterThan(3)
  }
  expect(await stylesOf(page, 'main td', 'overflow-wrap')).toEqual(['break-word'])
})

for (const language of languages)
  test(`services are told in one language, ${language}`, async ({ page, context, baseURL }) => {
    await speak(context, language, baseURL)
    await asPerson(context, 'services', language)
    await page.goto('/platform/apps')
    // services of other tests have one name in both languages
    const tiles = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasNotText: /Сервис \d|E2E/ })
    await expect(tiles.first()).toBeVisible()
    for (const text of await tiles.allTextContents())
      expect(text).toMatch(language === 'ru' ? /[а-яё]/i : /^[^а-яё]*$/i)
  })
