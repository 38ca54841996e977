import { and, eq, inArray, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { methods, roleMethods, roles, userRoles } from '@/db/schema/people'
import { expect, test } from './fixtures'
import { ownPerson } from './own-people'
import { asOwn, pressCreate } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { roles: t, ui, errors, snackbar } = words
const path = '/platform/setting/roles'
const prefix = 'E2E role '
const called = (text: string, values: Record<string, string>) =>
  Object.entries(values).reduce((sofar, [name, value]) => sofar.replace(`{${name}}`, value), text)

async function forget() {
  const ids = db()
    .select({ id: roles.id })
    .from(roles)
    .where(like(roles.name, `${prefix}%`))
  await db().delete(userRoles).where(inArray(userRoles.roleId, ids))
  await db()
    .delete(roles)
    .where(like(roles.name, `${prefix}%`))
}
test.beforeEach(async ({ database: _ }) => forget())
test.afterEach(forget)

test('a role is made, given to somebody, widened and taken', async ({ page, context }) => {
  const name = `${prefix}made`
  const employee = await ownPerson('employee')
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  await pressCreate(page, t.create)
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  // the form is read after the dialog has opened
  await expect(dialog.getByLabel(t.name, { exact: true })).toBeFocused()
  await dialog.getByLabel(t.name, { exact: true }).fill(name)
  await dialog.getByRole('searchbox').fill('history')
  await dialog.getByRole('checkbox').last().click()
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  await page.getByRole('link', { name: t.tabs.holders }).click()
  await page.getByRole('button', { name: t.give }).first().click()
  const giving = page.getByRole('dialog', { name: called(t.giveTitle, { name }) })
  await giving.getByLabel(t.peopleField).click()
  await page.getByRole('combobox').last().fill(employee.login)
  await page.getByRole('option').first().click()
  await page.keyboard.press('Escape')
  await giving.getByRole('button', { name: t.give }).click()
  await expect(page.getByRole('row').nth(1)).toContainText(t.everywhere)
  // the holders are a list of their own within the card
  await page.getByRole('columnheader', { name: t.person }).getByRole('link').click()
  await expect(page).toHaveURL(/tab=holders.*sort=desc|sort=desc.*tab=holders/)
  await expect(page.getByRole('row').nth(1)).toContainText(t.everywhere)

  await page.getByRole('link', { name: t.tabs.main, exact: true }).click()
  await page.getByRole('button', { name: `${ui.edit}: ${t.methods}` }).click()
  await page.getByRole('searchbox').last().fill('domains')
  await page.getByRole('main').getByRole('checkbox').nth(2).click()
  await expect(page.getByText(t.effect.title)).toBeVisible()
  await page.getByRole('button', { name: ui.save }).click()
  await expect(page.getByText(snackbar.roleUpdate)).toBeVisible()
  const [role] = await db().select({ id: roles.id }).from(roles).where(eq(roles.name, name))
  expect(await db().$count(roleMethods, eq(roleMethods.roleId, role?.id ?? ''))).toBe(2)

  // a copy has its methods and nobody who holds it
  await page.getByRole('button', { name: t.copy, exact: true }).click()
  const copying = page.getByRole('dialog', { name: called(t.copyTitle, { name }) })
  await copying.getByRole('button', { name: ui.create, exact: true }).click()
  const copy = called(t.copyName, { name })
  await expect(page.getByRole('heading', { level: 1, name: copy })).toBeVisible()
  // compared, the two are alike
  await page.getByRole('button', { name: called(ui.list.rowActions, { row: copy }) }).click()
  await page.getByRole('menuitem', { name: t.compare, exact: true }).click()
  await page.getByRole('dialog', { name: t.compareTitle }).getByRole('combobox').fill(name)
  await page.getByRole('option', { name }).first().click()
  await expect(page.getByText(t.compareSame)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goBack()

  await page.getByRole('link', { name: t.tabs.holders }).click()
  await page.getByRole('row').nth(1).getByRole('button').click()
  await page.getByRole('menuitem', { name: t.take }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.take }).click()
  await expect(page.getByText(t.holdersEmptyTitle)).toBeVisible()
})

test('a role beyond one’s own methods can’t be given or changed', async ({ page, context }) => {
  const [ownName, strong] = [`${prefix}own`, `${prefix}strong`]
  const made = await db()
    .insert(roles)
    .values([ownName, strong].map((name) => ({ name, roleType: 'systemic' as const })))
    .returning()
  const idOf = (name: string) => made.find((role) => role.name === name)?.id ?? ''
  const all = await db()
    .select({ id: methods.id, code: methods.code })
    .from(methods)
    .where(inArray(methods.code, ['roles.write', 'domains.write']))
  for (const { id, code } of all)
    await db()
      .insert(roleMethods)
      .values({ methodId: id, roleId: idOf(code === 'roles.write' ? ownName : strong) })
  const support = await asOwn(context, 'support', language)
  await db()
    .insert(userRoles)
    .values({ userId: support.id, roleId: idOf(ownName) })
  await page.goto(`${path}/${idOf(strong)}`)
  await page.getByRole('button', { name: `${ui.edit}: ${t.methods}` }).click()
  await page.getByRole('searchbox').last().fill('domains')
  await expect(page.getByText(t.picker.beyond)).toBeVisible()
  const locked = page.getByRole('main').getByRole('checkbox', { checked: true }).last()
  await expect(locked).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: ui.cancel }).click()
  await page.getByRole('button', { name: ui.disable }).click()
  const asked = page.getByRole('alertdialog', { name: called(t.offTitle, { name: strong }) })
  await asked.getByRole('button', { name: ui.disable }).click()
  await expect(asked).toContainText(errors.forbiddenRole)
  const [still] = await db()
    .select({ enabled: roles.enabled })
    .from(roles)
    .where(and(eq(roles.id, idOf(strong)), eq(roles.enabled, true)))
  expect(still).toBeDefined()
})
test('on a phone what switches a role off is in the menu at its name, what switches it on is a button', async ({
  page,
  context,
}) => {
  const name = `${prefix}phone`
  const [role] = await db().insert(roles).values({ name, roleType: 'systemic' }).returning()
  await asOwn(context, 'administrator', language)
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto(`${path}/${role?.id}`)
  const header = page.getByRole('main').locator('header')
  const button = (label: string) => header.getByRole('button', { name: label, exact: true })
  const menu = button(called(ui.list.rowActions, { row: name }))
  await expect(menu).toBeVisible()
  await expect(button(ui.disable)).toBeHidden()
  const [corner, heading] = [await menu.boundingBox(), await header.getByRole('heading').boundingBox()]
  expect(corner?.y).toBeLessThan((heading?.y ?? 0) + (heading?.height ?? 0))
  await menu.click()
  await expect(page.getByRole('menuitem')).toHaveText([t.copy, t.compare, ui.disable, ui.delete])
  await page.getByRole('menuitem', { name: ui.disable }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.disable }).click()
  // once it is on, its button is in the menu, which gets the focus
  await button(ui.enable).press('Enter')
  await expect(button(ui.enable)).toBeHidden()
  await expect(menu).toBeFocused()
})
