import type { Page } from '@playwright/test'
import { eq, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { accessListEntries } from '@/db/schema/platform'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { speak } from './people'
import { asOwn, fitsItsWidth, takenOver } from './signed-in'
import { spokenIn } from './spoken'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { gallery, ui } = words
const t = gallery.toggles
const index = '/platform/dev/ui'
const toggles = `${index}/toggles`
const [openedIp, black, white] = ['2001:db8:e2e::/48', '203.0.113.201', '203.0.113.32/27']
const entries = [
  { list: 'blacklist', ip: openedIp },
  { list: 'blacklist', ip: black },
  { list: 'whitelist', ip: white },
] as const

const forget = () => db().delete(accessListEntries).where(like(accessListEntries.comment, 'E2E toggle%'))
test.beforeEach(async ({ context, baseURL, database: _ }) => {
  await speak(context, language, baseURL)
  await forget()
  const comment = 'E2E toggle'
  // the card shows the newest
  await db()
    .insert(accessListEntries)
    .values(entries.map((entry, at) => ({ ...entry, comment, enabled: false, createdAt: new Date(Date.now() - at) })))
})
test.afterEach(forget)

async function open(page: Page, path: string) {
  await page.goto(path)
  await takenOver(page)
}
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const stored = async (ip: string) =>
  (await db().select().from(accessListEntries).where(eq(accessListEntries.ip, ip)))[0]?.enabled

test('a row’s question names the consequence; what takes nothing from anybody needs no question', async ({
  page,
  context,
}) => {
  await asOwn(context, 'administrator', language)
  await open(page, toggles)
  const menu = row(page, black).getByRole('button')
  await menu.focus()
  await page.keyboard.press('Enter')
  await item(page, ui.enable).press('Enter')
  const question = page.getByRole('alertdialog', { name: t.blackOnTitle.replace('{named}', black) })
  await expect(question).toContainText(t.blackOnText)
  await question.getByRole('button', { name: ui.cancel }).press('Enter')
  await expect(menu).toBeFocused()
  expect(await stored(black)).toBe(false)

  await page.keyboard.press('Enter')
  await item(page, ui.enable).press('Enter')
  await question.getByRole('button', { name: ui.enable }).press('Enter')
  await expect(row(page, black)).toContainText(t.on)
  await expect(menu).toBeFocused()
  expect(await stored(black)).toBe(true)
  await menu.press('Enter')
  await item(page, ui.disable).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: ui.disable }).press('Enter')
  await expect(row(page, black)).toContainText(t.off)

  await row(page, white).getByRole('button').click()
  await item(page, ui.enable).click()
  await expect(row(page, white)).toContainText(t.on)
  expect(await stored(white)).toBe(true)
})

test('a card is switched from its header; a second person who is slower gets a message and no question', {
  tag: '@full',
}, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await open(page, toggles)
  const heading = page.getByRole('heading', { level: 2 }).first()
  await expect(heading).toContainText(openedIp)
  await page.locator('main').getByRole('button', { name: ui.enable, exact: true }).first().click()
  const question = page.getByRole('alertdialog')
  await expect(question).toBeVisible()
  // somebody else changes it first
  await db()
    .update(accessListEntries)
    .set({ enabled: true, updatedAt: new Date() })
    .where(eq(accessListEntries.ip, openedIp))
  await question.getByRole('button', { name: ui.enable }).click()
  await expect(question).toBeHidden()
  await expect(page.getByText(ui.changedMeanwhile)).toBeVisible()
  await expect(heading).toContainText(t.on)
  await page.locator('main').getByRole('button', { name: ui.disable, exact: true }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.disable }).click()
  await expect(heading).toContainText(t.off)
  expect(await stored(openedIp)).toBe(false)
})

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 320],
] as const)
  test(`axe finds nothing and nothing overflows: ${colorScheme}, ${width} px`, { tag: '@full' }, async ({
    page,
    context,
    axe,
  }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await open(page, toggles)
    await expect(page.getByText(t.signIn)).toBeVisible()
    await axe(page)
    await asOwn(context, 'administrator', language)
    await open(page, toggles)
    await axe(page)
    expect(await page.evaluate(fitsItsWidth)).toBe(true)
    await page.locator('[data-menu] button').first().click()
    await axe(page)
    await item(page, ui.enable).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await axe(page)
    await open(page, index)
    await page.getByRole('button', { name: ui.list.rowActions.replace('{row}', gallery.menus.row) }).click()
    await expect(page.getByRole('menuitem').last()).toBeVisible()
    await axe(page)
    expect(await page.evaluate(fitsItsWidth)).toBe(true)
  })

test('people who may only read see no toggle', { tag: '@full' }, async ({ page, context }) => {
  await asOwn(context, 'auditor', language)
  await open(page, toggles)
  await expect(row(page, openedIp)).toBeVisible()
  await expect(page.locator('main').getByRole('button')).toHaveCount(0)
})
