import type { Page } from '@playwright/test'
import { expect } from './fixtures'
import { open } from './gallery-page'
import { test } from './lasting-context'
import { languages } from './sign-in-page'
import { asOwn, takenOver } from './signed-in'
import { spokenIn } from './spoken'

// small things that people see (docs/design.md)

const { language } = spokenIn(import.meta.filename)

/** The style of every element that is found. */
const stylesOf = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .evaluateAll(
      (all, name) => [...new Set(all.map((each) => getComputedStyle(each).getPropertyValue(name)))],
      property,
    )

test('addresses are set letter by letter, and no text of a list is so small that a dot blurs', {
  tag: '@full',
}, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto('/platform/setting/domains')
  await takenOver(page)
  expect(await stylesOf(page, 'main .font-mono', 'font-feature-settings')).toEqual(['"calt" 0, "liga" 0'])
  const sizes = await stylesOf(page, 'main td, main td a', 'font-size')
  expect(sizes.every((size) => Number.parseFloat(size) >= 13)).toBe(true)
})

test('the last row of a list keeps the shape of its dots; its cells break at words', { tag: '@full' }, async ({
  page,
}) => {
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

const services = {
  ru: ['Закупки', 'Склад', 'Документация'],
  en: ['Procurement', 'Warehouse', 'Documentation'],
}
for (const language of languages)
  test(`services are told in one language, ${language}`, { tag: '@full' }, async ({ page, context }) => {
    await asOwn(context, 'employee', language)
    await page.goto('/platform/apps')
    for (const name of services[language]) {
      const tile = page.getByRole('main').getByRole('listitem').filter({ hasText: name })
      await expect(tile).toBeVisible()
      expect(await tile.textContent()).toMatch(language === 'ru' ? /[а-яё]/i : /^[^а-яё]*$/i)
    }
  })
