import type { Page } from '@playwright/test'
import { eq, inArray } from 'drizzle-orm'
import { db } from '@/db/client'
import { accessListEntries, networkAliases } from '@/db/schema/platform'
import { expect, test } from './fixtures'
import { asPerson, fitsItsWidth, takenOver } from './signed-in'
import { en, ru } from './words'

const { gallery: t } = ru
const { ui } = ru
const index = '/platform/dev/ui'
const toggles = `${index}/toggles`
const named = '203.0.113.200'
const entries = [
  { list: 'blacklist', ip: '2001:db8:bad::/48' },
  { list: 'blacklist', ip: named },
  { list: 'whitelist', ip: '203.0.113.64/26' },
] as const
const forget = () =>
  db()
    .delete(accessListEntries)
    .where(
      inArray(
        accessListEntries.ip,
        entries.map(({ ip }) => ip),
      ),
    )
test.beforeEach(async ({ database: _ }) => {
  await forget()
  // the card shows the newest
  await db()
    .insert(accessListEntries)
    .values(entries.map((entry, at) => ({ ...entry, enabled: false, createdAt: new Date(Date.now() - at) })))
})
test.afterEach(forget)
const menuOf = (page: Page, row: string) => page.getByRole('button', { name: ui.list.rowActions.replace('{row}', row) })
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
const noticed = (page: Page, text: string) =>
  page.getByRole('region', { name: ru.common.notices }).getByText(text, { exact: true })

async function open(page: Page, path: string) {
  await page.goto(path)
  await takenOver(page)
}

test.describe('the menu of a row', () => {
  test('by keyboard: every kind of action is in its place, the dangerous one is last, and an impossible one shows its reason', async ({
    page,
  }) => {
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

  test('a call without a question shows its result; if somebody else was faster, the question closes', async ({
    page,
  }) => {
    await open(page, index)
    const { snackbar } = ru
    await menuOf(page, t.menus.row).click()
    await item(page, t.menus.check).click()
    await expect(noticed(page, snackbar.sampleRow)).toBeVisible()
    await menuOf(page, t.menus.row).click()
    await item(page, t.menus.fail).click()
    await expect(noticed(page, ru.errors.unavailable)).toBeVisible()
    await expect(menuOf(page, t.menus.row)).toBeFocused()
    await menuOf(page, t.menus.row).click()
    await item(page, t.menus.late).click()
    await page.getByRole('alertdialog').getByRole('button', { name: t.menus.late }).click()
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await expect(noticed(page, ui.changedMeanwhile)).toBeVisible()
    await expect(menuOf(page, t.menus.row)).toBeFocused()
  })

  test('when a row is deleted, the focus goes to the next row, and after the last row to the page’s heading', async ({
    page,
    context,
  }) => {
    const names = ['E2E focus 1', 'E2E focus 2', 'E2E focus 3']
    for (const name of names) await db().delete(networkAliases).where(eq(networkAliases.name, name))
    await db()
      .insert(networkAliases)
      .values(names.map((name) => ({ name })))
    await asPerson(context, 'admin')
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

for (const [language, words] of [
  ['ru', { t: ru.gallery.toggles, ui: ru.ui, snackbar: ru.snackbar }],
  ['en', { t: en.gallery.toggles, ui: en.ui, snackbar: en.snackbar }],
] as const)
  test.describe(`toggles, ${language}`, () => {
    const { t, ui } = words
    test.beforeEach(({ context }) => asPerson(context, 'admin', language))
    const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
    const stored = async (ip: string) =>
      (await db().select().from(accessListEntries).where(eq(accessListEntries.ip, ip)))[0]?.enabled

    test('a row’s question names the consequence; confirming switches it and returns the focus', async ({ page }) => {
      await open(page, toggles)
      const menu = row(page, named).getByRole('button')
      await menu.focus()
      await page.keyboard.press('Enter')
      await item(page, ui.enable).press('Enter')
      const question = page.getByRole('alertdialog', { name: t.blackOnTitle.replace('{named}', named) })
      await expect(question).toContainText(t.blackOnText)
      await question.getByRole('button', { name: ui.cancel }).press('Enter')
      await expect(menu).toBeFocused()
      expect(await stored(named)).toBe(false)

      await page.keyboard.press('Enter')
      await item(page, ui.enable).press('Enter')
      await question.getByRole('button', { name: ui.enable }).press('Enter')
      await expect(row(page, named)).toContainText(t.on)
      await expect(menu).toBeFocused()
      expect(await stored(named)).toBe(true)
      await menu.press('Enter')
      await item(page, ui.disable).press('Enter')
      await page.getByRole('alertdialog').getByRole('button', { name: ui.disable }).press('Enter')
      await expect(row(page, named)).toContainText(t.off)
    })

    test('a change that takes nothing from anybody needs no question', async ({ page }) => {
      await open(page, toggles)
      const white = '203.0.113.64/26'
      await row(page, white).getByRole('button').click()
      await item(page, ui.enable).click()
      await expect(row(page, white)).toContainText(t.on)
      expect(await stored(white)).toBe(true)
    })

    test('a card is switched from its header; a second person who is slower gets a message and no question', async ({
      page,
    }) => {
      await open(page, toggles)
      const heading = page.getByRole('heading', { level: 2 }).first()
      const name = '2001:db8:bad::/48'
      await expect(heading).toContainText(name)
      await page.locator('main').getByRole('button', { name: ui.enable, exact: true }).first().click()
      const question = page.getByRole('alertdialog')
      await expect(question).toBeVisible()
      // somebody else changes it first
      await db()
        .update(accessListEntries)
        .set({ enabled: true, updatedAt: new Date() })
        .where(eq(accessListEntries.ip, name))
      await question.getByRole('button', { name: ui.enable }).click()
      await expect(question).toBeHidden()
      await expect(page.getByText(ui.changedMeanwhile)).toBeVisible()
      await expect(heading).toContainText(t.on)
      await page.locator('main').getByRole('button', { name: ui.disable, exact: true }).first().click()
      await page.getByRole('alertdialog').getByRole('button', { name: ui.disable }).click()
      await expect(heading).toContainText(t.off)
      expect(await stored(name)).toBe(false)
    })
  })

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 320],
] as const)
  test(`axe finds nothing and nothing overflows: ${colorScheme}, ${width} px`, async ({ page, context, axe }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 800 })
    await open(page, toggles)
    await expect(page.getByText(t.toggles.signIn)).toBeVisible()
    await axe(page)
    await asPerson(context, 'admin')
    await open(page, toggles)
    await axe(page)
    expect(await page.evaluate(fitsItsWidth)).toBe(true)
    await page.locator('[data-menu] button').first().click()
    await axe(page)
    await item(page, ui.enable).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await axe(page)
    await open(page, index)
    await menuOf(page, t.menus.row).click()
    await expect(page.getByRole('menuitem').last()).toBeVisible()
    await axe(page)
    expect(await page.evaluate(fitsItsWidth)).toBe(true)
  })

test('people who may only read see no toggle', async ({ page, context }) => {
  await asPerson(context, 'auditor')
  await open(page, toggles)
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await expect(page.locator('main').getByRole('button')).toHaveCount(0)
})

test('a tab shows how many items wait behind it', async ({ page }) => {
  await open(page, index)
  const tabs = page.locator('#tabs')
  await expect(tabs.getByRole('link', { name: /ждут 3 дела/ })).toBeVisible()
  await expect(tabs.getByRole('tab', { name: /ждут 12 дел/ })).toBeVisible()
})

test('a notice has the page’s font, and doesn’t cover the buttons of a dialog on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await open(page, index)
  await menuOf(page, t.menus.row).click()
  await item(page, t.menus.fail).click()
  const notice = noticed(page, ru.errors.unavailable)
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

test('the focus ring of an unavailable button is fully visible', async ({ page }) => {
  await open(page, index)
  const button = page.getByRole('button', { name: t.menus.copyLink })
  await button.focus()
  await expect(button).toHaveAccessibleDescription(t.menus.why)
  await expect(button).toHaveCSS('opacity', '1')
})
