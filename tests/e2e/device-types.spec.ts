import { like } from 'drizzle-orm'
import { db } from '@/db/client'
import { deviceTypes } from '@/db/schema/platform'
import { expect, test } from './fixtures'
import { languages } from './sign-in-page'
import { asPerson } from './signed-in'
import { en, ru } from './words'

const words = {
  ru: { ...ru, phone: 'Телефон', computer: 'Компьютер' },
  en: { ...en, phone: 'Phone', computer: 'Desktop' },
}
const path = '/platform/setting/device-types'

test.beforeEach(async ({ database: _ }) => {
  await db().delete(deviceTypes).where(like(deviceTypes.code, 'e2e-%'))
})

for (const language of languages) {
  const { 'device-types': t, ui, errors, snackbar, phone, computer } = words[language]

  test(`a shipped type keeps its code and can’t be deleted, ${language}`, async ({ page, context }) => {
    await asPerson(context, 'admin', language)
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

  // the other tests differ only in their texts, which the sweep checks in both languages
  if (language !== 'ru') continue

  test('a type gets a code from its name, and can be renamed and deleted', async ({ page, context }) => {
    await asPerson(context, 'admin', language)
    await page.goto(path)
    await page.getByRole('button', { name: t.create }).click()
    const dialog = page.getByRole('dialog', { name: t.createTitle })
    await dialog.getByRole('button', { name: ui.create }).click()
    await expect(dialog.getByText(errors.errorEmpty).first()).toBeVisible()
    await dialog.getByLabel(t.name, { exact: true }).fill('E2E Киоск')
    await dialog.getByLabel(t.code).fill('Киоск')
    await dialog.getByRole('button', { name: ui.create }).click()
    await expect(dialog.getByText(errors.errorLatin).first()).toBeVisible()
    await dialog.getByLabel(t.code).fill('desktop')
    await dialog.getByRole('button', { name: ui.create }).click()
    await expect(dialog.getByText(errors.errorUnique).first()).toBeVisible()
    await dialog.getByLabel(t.code).fill('')
    await dialog.getByRole('button', { name: ui.create }).click()
    await expect(page.getByText(snackbar.devicesTypesCreate)).toBeVisible()
    const row = page.getByRole('row').filter({ hasText: 'e2e-kiosk' })
    await expect(row).toContainText('E2E Киоск')

    await row.getByRole('button').click()
    await page.getByRole('menuitem', { name: ui.edit }).click()
    await page.getByRole('dialog').getByLabel(t.name, { exact: true }).fill('E2E Стойка')
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: ui.unsaved.stay }).click()
    await page.getByRole('dialog').getByRole('button', { name: ui.save }).click()
    await expect(row).toContainText('E2E Стойка')

    await row.getByRole('button').click()
    await page.getByRole('menuitem', { name: ui.delete }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: ui.delete }).click()
    await expect(page.getByText(snackbar.devicesTypesDelete)).toBeVisible()
    await expect(row).toBeHidden()
  })
}

const { 'device-types': t, ui } = words.ru

test('people who may only read can change nothing', async ({ page, context }) => {
  await asPerson(context, 'auditor')
  await page.goto(path)
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await expect(page.getByRole('button', { name: t.create })).toHaveCount(0)
  await expect(page.getByRole('table').getByRole('button')).toHaveCount(0)
})

test('search and sort are in the address and survive a reload', async ({ page, context }) => {
  await asPerson(context, 'admin')
  await page.goto(path)
  const head = page.getByRole('columnheader', { name: t.code })
  for (const order of ['ascending', 'descending']) {
    await head.getByRole('link').click()
    await expect(head).toHaveAttribute('aria-sort', order)
  }
  await page.getByRole('textbox', { name: t.search }).fill('top')
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await page.reload()
  await expect(page).toHaveURL(/sortBy=code/)
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await page.getByRole('textbox', { name: t.search }).fill('нет такого')
  await expect(page.getByText(ui.list.noMatchTitle.replace('{search}', 'нет такого'))).toBeVisible()
})
