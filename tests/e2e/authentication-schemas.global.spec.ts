import type { Page } from '@playwright/test'
import { and, eq, like, ne } from 'drizzle-orm'
import { db } from '@/db/client'
import { authenticationSchemas } from '@/db/schema/platform'
import { invalidate } from '@/lib/base/cache/cache'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { 'authentication-schemas': t, ui, errors, snackbar } = words
const path = '/platform/setting/authentication-schemas'
const [one, other] = ['E2E one', 'E2E other']

const rowsOf = (page: Page) => page.locator('main').getByRole('list', { name: t.list }).locator('> li')

let schemasBefore: { id: string; priority: number }[] = []
test.beforeEach(async ({ database: _ }) => {
  schemasBefore = await db()
    .select({ id: authenticationSchemas.id, priority: authenticationSchemas.priority })
    .from(authenticationSchemas)
})
/** Takes the test's schemas away and puts the others where they were: an order numbers all of them anew. */
test.afterEach(() =>
  db().transaction(async (tx) => {
    await tx.delete(authenticationSchemas).where(like(authenticationSchemas.code, 'e2e-%'))
    for (const { id, priority } of schemasBefore)
      await tx
        .update(authenticationSchemas)
        .set({ priority })
        .where(and(eq(authenticationSchemas.id, id), ne(authenticationSchemas.priority, priority)))
    await invalidate(tx, 'authentication-schemas')
  }),
)

test('schemas are ordered by the keyboard alone and by dragging', { tag: '@full' }, async ({ page, context }) => {
  await db()
    .insert(authenticationSchemas)
    .values(
      [one, other].map((name, at) => ({
        name,
        nameEn: name,
        code: `e2e-${at}`,
        priority: at - 2,
        firstFactor: ['credentials'],
      })),
    )
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  const rows = rowsOf(page)
  await expect(rows.nth(0)).toContainText(one)
  const down = page.getByRole('button', { name: ui.order.down.replace('{name}', one) })
  await down.focus()
  let sent = 0
  const released = Promise.withResolvers<void>()
  await page.route('**/authentication-schemas/priority', async (route) => {
    sent++
    await released.promise
    await route.continue()
  })
  // the first row goes no further up
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowDown')
  // there and back again while the first move is saved: nothing differs in the end
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowDown')
  released.resolve()
  await expect(page.getByText(snackbar.authSchemaPriority)).toBeVisible()
  await expect(rows.nth(0)).toContainText(other)
  expect(sent).toBe(1)
  // the row has the focus still, so that the next key moves it too
  await expect(down).toBeFocused()
  await page.reload()
  await expect(rows.nth(1)).toContainText(one)

  await page
    .locator('main li [class*=cursor-grab]')
    .nth(1)
    .dragTo(rows.nth(0), { targetPosition: { x: 80, y: 4 } })
  await expect(rows.nth(0)).toContainText(one)
  const stored = async () =>
    (await db().select().from(authenticationSchemas).where(eq(authenticationSchemas.name, one)))[0]?.priority
  await expect.poll(stored).toBe(0)
  await page.getByRole('button', { name: ui.order.up.replace('{name}', other) }).click()
  await expect(rows.nth(0)).toContainText(other)
  await expect.poll(stored).toBe(1)
})

test('a schema is made, refused while nobody could sign in by it, and kept while people need it', async ({
  page,
  context,
}) => {
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  await page.getByRole('button', { name: t.create }).click()
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  await dialog.getByLabel(t.name, { exact: true }).fill(one)
  await dialog.getByLabel(t.code, { exact: true }).fill('e2e-schema')
  const second = dialog.getByRole('group', { name: t.secondFactor })
  await second.getByLabel(t.flows.credentials).check()
  await dialog.getByRole('button', { name: ui.create }).click()
  await expect(dialog.getByText(errors.errorSchemaDeadEnd).first()).toBeVisible()
  await second.getByLabel(t.flows.email_code).check()
  await dialog.getByRole('button', { name: ui.create }).click()
  await expect(page.getByText(snackbar.authSchemaCreate)).toBeVisible()
  const row = rowsOf(page).filter({ hasText: one })
  await expect(row).toContainText(t.forNobody)

  await row.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: t.switchOff }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.switchOff }).click()
  await expect(row.getByText(t.off)).toBeVisible()
  await row.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: ui.delete }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.delete }).click()
  await expect(row).toBeHidden()

  // the base schema is the last
  await rowsOf(page).last().getByRole('button').last().click()
  await expect(page.getByText(t.whyBase)).toBeVisible()
})

test('people who may only read see the order and can change nothing', { tag: '@full' }, async ({ page, context }) => {
  await asOwn(context, 'auditor', language)
  await page.goto(path)
  await expect(rowsOf(page).first()).toBeVisible()
  await expect(page.getByRole('button', { name: t.create })).toHaveCount(0)
  await expect(page.locator('main').getByRole('list', { name: t.list }).getByRole('button')).toHaveCount(0)
})
