import type { Locator, Page } from '@playwright/test'
import { eq, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { dynamicFields, dynamicFieldTabs } from '@/db/schema/dynamic-fields'
import { invalidate } from '@/lib/base/cache/cache'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { 'dynamic-fields': t, ui, errors, snackbar } = words
const base = '/platform/setting/options/users/dynamic-fields'

let orders: { id: string; order: number }[] = []
test.beforeEach(async ({ database: _ }) => {
  orders = await db().select({ id: dynamicFieldTabs.id, order: dynamicFieldTabs.order }).from(dynamicFieldTabs)
})
test.afterEach(async () => {
  await db().delete(dynamicFields).where(like(dynamicFields.code, 'e2e%'))
  await db().delete(dynamicFieldTabs).where(like(dynamicFieldTabs.id, 'users_e2e%'))
  for (const { id, order } of orders)
    await db().update(dynamicFieldTabs).set({ order }).where(eq(dynamicFieldTabs.id, id))
  await invalidate(db(), 'dynamic-fields')
})

const flag = (who: 'admin' | 'profile', of: 'visible' | 'edit' | 'required') =>
  t.flagOf.replace('{who}', t.heads[who]).replace('{flag}', t.flags[of])
const choose = async (dialog: Locator, label: string, option: string) => {
  await dialog.getByRole('combobox', { name: label, exact: true }).click()
  await dialog.page().getByRole('option', { name: option, exact: true }).click()
}

const row = (page: Page, code: string) => page.locator('main li').filter({ has: page.getByText(code, { exact: true }) })

test('a list is defined, ordered, and seen in the profile and on a card at once', async ({ page, context }) => {
  const { id } = await asOwn(context, 'administrator', language)
  await page.goto(`${base}/users/details/users_main`)
  await page.getByRole('button', { name: t.create }).click()
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  await dialog.getByLabel(t.title, { exact: true }).fill('E2E Shoes')
  await expect(dialog.getByLabel(t.code, { exact: true })).toHaveValue('e2eShoes')
  await choose(dialog, t.fieldType, t.fieldTypes.dropbox)
  // required ticks what it needs
  await dialog.getByRole('checkbox', { name: flag('profile', 'required') }).check()
  await expect(dialog.getByRole('checkbox', { name: flag('profile', 'edit') })).toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: flag('profile', 'visible') })).toBeChecked()
  await dialog.getByRole('checkbox', { name: flag('profile', 'edit') }).uncheck()
  await expect(dialog.getByRole('checkbox', { name: flag('profile', 'required') })).not.toBeChecked()

  const items = dialog.getByRole('group', { name: new RegExp(`^${t.item}\\s\\d`) })
  const value = (row: number) => items.nth(row).getByLabel(t.itemValue, { exact: true })
  for (const [row, size] of ['Size 40', 'Size 41'].entries()) {
    await dialog.getByRole('button', { name: t.addItem }).click()
    await expect(value(row)).toHaveAccessibleDescription(errors.errorEmpty)
    await value(row).fill(size)
  }
  await page.keyboard.press('Alt+ArrowUp')
  await expect(value(0)).toHaveValue('Size 41')
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await expect(page.getByText(snackbar.fieldCreate)).toBeVisible()
  await expect(page.locator('main li').filter({ hasText: 'e2eShoes' })).toContainText(t.fieldTypes.dropbox)
  const [stored] = await db().select().from(dynamicFields).where(eq(dynamicFields.code, 'e2eShoes'))
  expect(stored?.items.map(({ code }) => code)).toEqual(['size-41', 'size-40'])

  await page.goto('/platform/profile/personal')
  await expect(page.getByRole('main').getByText('E2E Shoes', { exact: true })).toBeVisible()
  await page.goto(`/platform/setting/users/${id}`)
  await expect(page.getByRole('main').getByText('E2E Shoes', { exact: true })).toBeVisible()
})

test('what would lose something asks or is refused', { tag: '@full' }, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto(`${base}/users/details/users_main`)
  // demo people share departments, so these can't be unique
  await row(page, 'department').getByRole('button').last().click()
  await page.getByRole('menuitem', { name: ui.edit }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(t.codeHasValues)).toBeVisible()
  await dialog.getByRole('checkbox', { name: t.unique }).check()
  await dialog.getByRole('button', { name: ui.save }).click()
  await expect(dialog.getByText(t.doublesTitle)).toBeVisible()
  await dialog.getByRole('checkbox', { name: t.unique }).uncheck()

  await choose(dialog, t.fieldType, t.fieldTypes.date)
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(/\d/)
  await question.getByRole('button', { name: t.typeKeep }).click()
  await expect(dialog.getByRole('combobox', { name: t.fieldType, exact: true })).toHaveText(t.fieldTypes.dropbox)
  const code = dialog.getByLabel(t.code, { exact: true })
  await dialog.getByRole('button', { name: t.addItem }).click()
  await dialog.getByLabel(t.itemValue, { exact: true }).last().fill('Other')
  await code.last().fill('it')
  await dialog.getByRole('button', { name: ui.save }).click()
  await expect(code.last()).toHaveAccessibleDescription(errors.errorDuplicateItem)
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: ui.unsaved.leave }).click()
})

test('what people need stays, a tab comes, moves and goes, and a kind of action has one block', {
  tag: '@full',
}, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto(`${base}/users/details/users_main`)
  // what people sign in with is neither switched off nor deleted
  await row(page, 'email').getByRole('button').last().click()
  await expect(page.getByText(t.whyShipped)).toHaveCount(2)
  await page.keyboard.press('Escape')
  await page.goto(`${base}/users`)
  const tabs = page.locator('main').getByRole('list', { name: t.tabs }).locator('> li')
  await tabs.first().getByRole('button').last().click()
  await expect(page.getByText(t.whyShippedTab)).toBeVisible()
  await page.keyboard.press('Escape')

  // a tab without blocks comes, moves and goes
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: t.createTab }).click()
  await dialog.getByLabel(t.title, { exact: true }).fill('E2E')
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  const tab = tabs.filter({ hasText: 'E2E' })
  await tab.getByRole('button').first().press('Enter')
  await expect(page.getByText(snackbar.tabOrder)).toBeVisible()
  await expect(tabs.nth(1)).toContainText('E2E')
  await tab.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: t.delete }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.delete }).click()
  await expect(tab).toBeHidden()

  // a kind of personnel action that has a block isn't offered again
  await page.goto(`${base}/personnel-actions/details/personnel_actions_main`)
  await page.getByRole('button', { name: t.createBlock }).click()
  await dialog.getByRole('combobox', { name: t.actionType }).click()
  await expect(page.getByRole('option')).toHaveText(
    language === 'ru' ? ['Перевод', 'Увольнение'] : ['Transfer', 'Dismissal'],
  )
  await page.keyboard.press('Escape')
})
