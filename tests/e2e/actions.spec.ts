import type { Page } from '@playwright/test'
import { like } from 'drizzle-orm'
import { db } from '@/db/client'
import { networkAliases } from '@/db/schema/platform'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { speak } from './people'
import { asOwn, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { gallery: t, ui, errors, snackbar } = words
const index = '/platform/dev/ui'
const menuOf = (page: Page, row: string) => page.getByRole('button', { name: ui.list.rowActions.replace('{row}', row) })
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
const noticed = (page: Page, text: string) =>
  page.getByRole('region', { name: words.common.notices }).getByText(text, { exact: true })

async function open(page: Page, path: string) {
  await page.goto(path)
  await takenOver(page)
}
test.beforeEach(({ context, baseURL }) => speak(context, language, baseURL))

test.describe('the menu of a row', () => {
  test('by keyboard: every kind of action is in its place, the dangerous one is last, and an impossible one shows its reason', {
    tag: '@full',
  }, async ({ page }) => {
    await open(page, index)
    const trigger = menuOf(page, t.menus.row)
    await trigger.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem')).toHaveCount(8)
    const last = page.getByRole('menuitem').last()
    await expect(last).toHaveText(t.menus.end)
    const impossible = page.getByRole('menuitem', { name: t.menus.copyLink })
    await expect(impossible).toHaveAttribute('aria-disabled', 'true')
    await expect(impossible).toContainText(t.menus.why)
    // arrow keys reach it, and Enter does nothing
    await page.keyboard.press('End')
    await expect(last).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(impossible).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(impossible).toBeVisible()
    await page.keyboard.press('Home')
    await expect(item(page, ui.view)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: t.menus.viewTitle })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(trigger).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect(trigger).toBeFocused()
  })

  test('a call without a question shows its result; if somebody else was faster, the question closes', {
    tag: '@full',
  }, async ({ page }) => {
    await open(page, index)
    await menuOf(page, t.menus.row).click()
    await item(page, t.menus.check).click()
    await expect(noticed(page, snackbar.sampleRow)).toBeVisible()
    await menuOf(page, t.menus.row).click()
    await item(page, t.menus.fail).click()
    await expect(noticed(page, errors.unavailable)).toBeVisible()
    await expect(menuOf(page, t.menus.row)).toBeFocused()
    await menuOf(page, t.menus.row).click()
    await item(page, t.menus.late).click()
    await page.getByRole('alertdialog').getByRole('button', { name: t.menus.late }).click()
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await expect(noticed(page, ui.changedMeanwhile)).toBeVisible()
    await expect(menuOf(page, t.menus.row)).toBeFocused()
  })

  test('when a row is deleted, the focus goes to the next row, and after the last row to the page’s heading', {
    tag: '@full',
  }, async ({ page, context }) => {
    const names = ['E2E focus 1', 'E2E focus 2', 'E2E focus 3']
    await db().delete(networkAliases).where(like(networkAliases.name, 'E2E focus%'))
    await db()
      .insert(networkAliases)
      .values(names.map((name) => ({ name })))
    await asOwn(context, 'administrator', language)
    await open(page, '/platform/setting/network-aliases?filter[search]=E2E+focus')
    const remove = async (name: string) => {
      await menuOf(page, name).focus()
      await page.keyboard.press('Enter')
      await item(page, ui.delete).press('Enter')
      await page.getByRole('alertdialog').getByRole('button', { name: ui.delete }).press('Enter')
      await expect(page.getByRole('rowheader', { name })).toBeHidden()
    }
    await remove('E2E focus 1')
    await expect(menuOf(page, 'E2E focus 2')).toBeFocused()
    // the last row has no row after it
    await remove('E2E focus 3')
    await expect(menuOf(page, 'E2E focus 2')).toBeFocused()
    await remove('E2E focus 2')
    await expect(page.getByText(ui.list.noMatchTitle.replace('{search}', 'E2E focus'))).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })
})

test('a tab shows how many items wait behind it', { tag: '@full' }, async ({ page, context, baseURL }) => {
  // the Russian text has a form for each number
  await speak(context, 'ru', baseURL)
  await open(page, index)
  const tabs = page.locator('#tabs')
  await expect(tabs.getByRole('link', { name: /ждут 3 дела/ })).toBeVisible()
  await expect(tabs.getByRole('tab', { name: /ждут 12 дел/ })).toBeVisible()
})

test('a notice has the page’s font, and doesn’t cover the buttons of a dialog on a phone', { tag: '@full' }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await open(page, index)
  await menuOf(page, t.menus.row).click()
  await item(page, t.menus.fail).click()
  const notice = noticed(page, errors.unavailable)
  await expect(notice).toBeVisible()
  const typeOf = (element: Element) => getComputedStyle(element).fontFamily
  expect(await notice.evaluate(typeOf)).toBe(await page.locator('body').evaluate(typeOf))

  await menuOf(page, t.menus.row).click()
  await item(page, t.menus.end).click()
  const question = page.getByRole('alertdialog')
  await expect(notice).toBeInViewport()
  // a click fails if another element covers the button
  await question.getByRole('button', { name: ui.cancel }).click({ timeout: 5000 })
  await expect(question).toBeHidden()
})

test('the focus ring of an unavailable button is fully visible', { tag: '@full' }, async ({ page }) => {
  await open(page, index)
  const button = page.getByRole('button', { name: t.menus.copyLink })
  await button.focus()
  await expect(button).toHaveAccessibleDescription(t.menus.why)
  await expect(button).toHaveCSS('opacity', '1')
})
