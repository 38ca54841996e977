import type { Page } from '@playwright/test'
import { eq, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { authenticationSchemas } from '@/db/schema/platform'
import { expect, test } from './fixtures'
import { languages } from './sign-in-page'
import { asPerson } from './signed-in'
import { en, ru } from './words'

const words = { ru, en }
const path = '/platform/setting/authentication-schemas'
const names = { ru: { two: 'Пароль и код', code: 'Сначала код' }, en: { two: 'Password and code', code: 'Code first' } }

const rowsOf = (page: Page, list: string) => page.locator('main').getByRole('list', { name: list }).locator('> li')

test.beforeEach(async ({ database: _ }) => {
  await db().delete(authenticationSchemas).where(like(authenticationSchemas.code, 'e2e-%'))
  for (const [priority, code] of ['two-factors', 'code-first'].entries())
    await db().update(authenticationSchemas).set({ priority }).where(eq(authenticationSchemas.code, code))
})

for (const language of languages) {
  const { 'authentication-schemas': t, ui, errors, snackbar } = words[language]
  const { two, code } = names[language]

  test(`schemas are ordered by the keyboard alone and by dragging, ${language}`, async ({ page, context }) => {
    await asPerson(context, 'admin', language)
    await page.goto(path)
    const rows = rowsOf(page, t.list)
    await expect(rows.nth(0)).toContainText(two)
    const down = page.getByRole('button', { name: ui.order.down.replace('{name}', two) })
    await down.focus()
    let sent = 0
    const held = Promise.withResolvers<void>()
    await page.route('**/authentication-schemas/priority', async (route) => {
      sent++
      await held.promise
      await route.continue()
    })
    // the first row goes no further up
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowDown')
    // there and back again while the first move is saved: nothing differs in the end
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowDown')
    held.resolve()
    await expect(page.getByText(snackbar.authSchemaPriority)).toBeVisible()
    await expect(rows.nth(0)).toContainText(code)
    expect(sent).toBe(1)
    // the row has the focus still, so that the next key moves it too
    await expect(down).toBeFocused()
    await page.reload()
    await expect(rows.nth(1)).toContainText(two)

    if (language === 'ru') {
      await page
        .locator('main li [class*=cursor-grab]')
        .nth(1)
        .dragTo(rows.nth(0), { targetPosition: { x: 80, y: 4 } })
    } else await page.getByRole('button', { name: ui.order.up.replace('{name}', two) }).click()
    await expect(rows.nth(0)).toContainText(two)
    await expect
      .poll(
        async () =>
          (await db().select().from(authenticationSchemas).where(eq(authenticationSchemas.code, 'two-factors')))[0]
            ?.priority,
      )
      .toBe(0)
  })

  test(`a schema is made, refused while nobody could sign in by it, and kept while people need it, ${language}`, async ({
    page,
    context,
  }) => {
    await asPerson(context, 'admin', language)
    await page.goto(path)
    await page.getByRole('button', { name: t.create }).click()
    const dialog = page.getByRole('dialog', { name: t.createTitle })
    await dialog.getByLabel(t.name, { exact: true }).fill('E2E')
    await dialog.getByLabel(t.code, { exact: true }).fill('e2e-schema')
    const second = dialog.getByRole('group', { name: t.secondFactor })
    await second.getByLabel(t.flows.credentials).check()
    await dialog.getByRole('button', { name: ui.create }).click()
    await expect(dialog.getByText(errors.errorSchemaDeadEnd).first()).toBeVisible()
    await second.getByLabel(t.flows.email_code).check()
    await dialog.getByRole('button', { name: ui.create }).click()
    await expect(page.getByText(snackbar.authSchemaCreate)).toBeVisible()
    const row = rowsOf(page, t.list).filter({ hasText: 'E2E' })
    await expect(row).toContainText(t.forNobody)

    await row.getByRole('button').last().click()
    await page.getByRole('menuitem', { name: t.switchOff }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: t.switchOff }).click()
    await expect(row.getByText(t.off)).toBeVisible()
    await row.getByRole('button').last().click()
    await page.getByRole('menuitem', { name: ui.delete }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: ui.delete }).click()
    await expect(row).toBeHidden()

    await rowsOf(page, t.list).last().getByRole('button').last().click()
    await expect(page.getByText(t.whyBase)).toBeVisible()
  })
}

test('people who may only read see the order and can change nothing', async ({ page, context }) => {
  const { 'authentication-schemas': t } = ru
  await asPerson(context, 'auditor')
  await page.goto(path)
  await expect(rowsOf(page, t.list).first()).toBeVisible()
  await expect(page.getByRole('button', { name: t.create })).toHaveCount(0)
  await expect(page.locator('main').getByRole('list', { name: t.list }).getByRole('button')).toHaveCount(0)
})
