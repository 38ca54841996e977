import { like } from 'drizzle-orm'
import { db } from '@/db/client'
import { deviceTypes } from '@/db/schema/platform'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { 'device-types': t, ui, errors, snackbar } = words
const [phone, computer] = { ru: ['Телефон', 'Компьютер'] as const, en: ['Phone', 'Desktop'] as const }[language]
const path = '/platform/setting/device-types'
const prefix = 'e2e-device-'

const forget = async () => {
  await db()
    .delete(deviceTypes)
    .where(like(deviceTypes.code, `${prefix}%`))
}
test.beforeEach(async ({ database: _ }) => forget())
test.afterEach(forget)

test('a type gets a code from its name, and can be renamed and deleted', async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  await page.getByRole('button', { name: t.create }).click()
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  await dialog.getByRole('button', { name: ui.create }).click()
  await expect(dialog.getByText(errors.errorEmpty).first()).toBeVisible()
  await dialog.getByLabel(t.name, { exact: true }).fill('E2E Device Киоск')
  await dialog.getByLabel(t.code).fill('Киоск')
  await dialog.getByRole('button', { name: ui.create }).click()
  await expect(dialog.getByText(errors.errorLatin).first()).toBeVisible()
  await dialog.getByLabel(t.code).fill('desktop')
  await dialog.getByRole('button', { name: ui.create }).click()
  await expect(dialog.getByText(errors.errorUnique).first()).toBeVisible()
  await dialog.getByLabel(t.code).fill('')
  await dialog.getByRole('button', { name: ui.create }).click()
  await expect(page.getByText(snackbar.devicesTypesCreate)).toBeVisible()
  await page.goto(`${path}?filter[search]=${prefix}`)
  const row = page.getByRole('row').filter({ hasText: `${prefix}kiosk` })
  await expect(row).toContainText('E2E Device Киоск')

  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.edit }).click()
  await page.getByRole('dialog').getByLabel(t.name, { exact: true }).fill('E2E Device Стойка')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: ui.unsaved.stay }).click()
  await page.getByRole('dialog').getByRole('button', { name: ui.save }).click()
  await expect(row).toContainText('E2E Device Стойка')

  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.delete }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.delete }).click()
  await expect(page.getByText(snackbar.devicesTypesDelete)).toBeVisible()
  await expect(row).toBeHidden()
})

test('a shipped type keeps its code and can’t be deleted', { tag: '@full' }, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  for (const name of [phone, computer]) {
    await page.getByRole('row').filter({ hasText: name }).getByRole('button').click()
    await expect(page.getByRole('menuitem')).toHaveText([ui.edit])
    await page.getByRole('menuitem', { name: ui.edit }).click()
    await expect(page.getByRole('dialog').getByLabel(t.code)).toHaveAttribute('readonly')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
})

test('people who may only read can change nothing', { tag: '@full' }, async ({ page, context }) => {
  await asOwn(context, 'auditor', language)
  await page.goto(path)
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await expect(page.getByRole('button', { name: t.create })).toHaveCount(0)
  await expect(page.getByRole('table').getByRole('button')).toHaveCount(0)
})

test('search and sort are in the address and survive a reload', { tag: '@full' }, async ({ page, context }) => {
  await db()
    .insert(deviceTypes)
    .values(['one', 'other'].map((name) => ({ name: `E2E Device ${name}`, code: `${prefix}${name}` })))
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  const head = page.getByRole('columnheader', { name: t.code })
  for (const order of ['ascending', 'descending']) {
    await head.getByRole('link').click()
    await expect(head).toHaveAttribute('aria-sort', order)
  }
  const rows = page.getByRole('rowheader')
  await page.getByRole('textbox', { name: t.search }).fill(prefix)
  await expect(rows).toContainText(['E2E Device other', 'E2E Device one'])
  await page.reload()
  await expect(page).toHaveURL(/sortBy=code/)
  await expect(rows).toContainText(['E2E Device other', 'E2E Device one'])
  await page.getByRole('textbox', { name: t.search }).fill('нет такого')
  await expect(page.getByText(ui.list.noMatchTitle.replace('{search}', 'нет такого'))).toBeVisible()
})
