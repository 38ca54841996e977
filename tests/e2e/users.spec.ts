import { randomUUID } from 'node:crypto'
import { mobileText } from '@/lib/base/text/mobile'
import { createRoleWith } from '../factories/access'
import { createContractor, join } from '../factories/companies'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { ownPerson } from './own-people'
import { asOwn, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const path = '/platform/setting/users'

const { users: t, ui, snackbar } = words

test('somebody who can’t get in is found, let in and sent a new password in five clicks', async ({
  page,
  context,
  database: _,
}) => {
  const { login } = await createUser({ enabled: false })
  await asOwn(context, 'support', language)
  await page.addInitScript(() => {
    const count = () => sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1))
    addEventListener('click', (event) => event.isTrusted && event.detail > 0 && count(), true)
  })
  await page.goto(path)
  await page.getByRole('textbox', { name: t.search }).fill(login)
  const row = page.getByRole('row').filter({ hasText: login })
  await expect(row).toHaveCount(1)
  await expect(row.getByText(t.disabled)).toBeVisible()
  await row.getByRole('link').first().click()
  await expect(page.getByRole('button', { name: t.enable })).toBeVisible()
  await takenOver(page)
  await page.getByRole('button', { name: t.enable }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.enable }).click()
  await expect(page.locator('main').getByText(t.enabled, { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: t.reset }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.reset }).click()
  await expect(page.getByText(snackbar.userPasswordReset)).toBeVisible()
  await expect(page.getByText(t.hasPassword, { exact: true })).toHaveCount(0)
  expect(await page.evaluate(() => Number(sessionStorage.getItem('clicks')))).toBe(5)
})

test('a card says which values are missing, and offers as a button what is possible', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  const mobile = `+7900${String(Date.now()).slice(-7)}`
  // an action without the date that its actions require
  const { id, fio } = await createUser({ roles: [], mobile, values: { hiringOrder: '12-к' } })
  await asOwn(context, 'support', language)
  await page.goto(`${path}/${id}`)
  await takenOver(page)
  const main = page.locator('main')
  await expect(main.getByText(t.valueMissing).first()).toBeVisible()
  await expect(main.getByText(ui.notSet).first()).toBeVisible()
  await expect(main.getByText(mobileText(mobile, language))).toHaveCount(2)
  await expect(main.getByRole('button', { name: t.reset })).toBeVisible()
  await expect(main.getByRole('button', { name: t.sendEntryLink })).toHaveCount(0)
  await page.getByRole('button', { name: ui.list.rowActions.replace('{row}', fio) }).click()
  await expect(page.getByRole('menuitem', { name: t.sendEntryLink })).toContainText(t.withPassword)
})

test('what isn’t possible is no button of a card, and the open tab is in sight', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  const { id, fio } = await createUser({ roles: [], email: null })
  await page.setViewportSize({ width: 820, height: 1000 })
  await asOwn(context, 'support', language)
  await page.goto(`${path}/${id}?tab=history`)
  await takenOver(page)
  const main = page.locator('main')
  await expect(main.getByRole('link', { name: t.history, exact: true })).toBeInViewport({ ratio: 0.95 })
  await expect(main.getByRole('button', { name: t.end })).toBeVisible()
  await expect(main.getByRole('button', { name: t.reset })).toHaveCount(0)
  await page.getByRole('button', { name: ui.list.rowActions.replace('{row}', fio) }).click()
  await expect(page.getByRole('menuitem', { name: t.reset })).toContainText(t.withoutEmail)
})

test('nobody is disabled without the rights that they hold, and a reason is kept', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  const { login, fio } = await createUser()
  await asOwn(context, 'support', language)
  const stronger = await ownPerson('administrator')
  await page.goto(`${path}?filter[search]=${stronger.login}`)
  await page.getByRole('row').filter({ hasText: stronger.login }).getByRole('link').first().click()
  await expect(page.getByText(t.barred)).toHaveCount(1)
  await expect(page.locator('main').getByRole('button', { name: t.reset })).toHaveCount(0)

  await page.goto(`${path}?filter[search]=${login}`)
  await page.getByRole('row').filter({ hasText: login }).getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(fio)
  await takenOver(page)
  await page.getByRole('button', { name: ui.list.rowActions.replace('{row}', fio) }).click()
  await page.getByRole('menuitem', { name: t.disable }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t.reason).fill('E2E: уволен')
  await dialog.getByRole('button', { name: t.disable }).click()
  await expect(dialog).toBeHidden()
  await expect(page.locator('main').getByText(t.disabled, { exact: true }).first()).toBeVisible()
  await page.locator('main').getByRole('link', { name: t.history }).click()
  await expect(page.getByText('E2E: уволен').first()).toBeVisible()
})

test('an account is created, gets a role and a contractor, and is deleted by its login', async ({
  page,
  context,
  database: _,
}) => {
  const login = `e2e-${randomUUID().slice(0, 8)}@polaris.example`
  const { contractor } = await createContractor()
  const code = await createRoleWith([])
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}?create=1`)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').first().fill('E2E Орлова Вера')
  await dialog.locator('input[type=email]').fill(login)
  await dialog.getByRole('button', { name: t.create }).click()
  await expect(page.getByText(snackbar.userCreate)).toBeVisible()
  await page.locator('[data-created]').getByRole('link').first().click()
  await takenOver(page)

  await page
    .locator('main')
    .getByRole('link', { name: new RegExp(`^${t.access}`) })
    .click()
  await page.getByRole('button', { name: `${ui.edit}: ${t.roles}` }).click()
  await page.locator('main').getByRole('button', { name: t.everywhere, exact: true }).click()
  await page.getByRole('combobox').last().fill(code)
  await page.getByRole('option').filter({ hasText: code }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: ui.save }).click()
  await expect(page.locator('main').getByRole('definition').getByText(code)).toBeVisible()

  await page.getByRole('button', { name: `${ui.edit}: ${t.contractors}` }).click()
  await page.locator('main').getByRole('button', { name: t.contractors, exact: true }).click()
  await page.getByRole('combobox').last().fill(contractor.name)
  await page.getByRole('option').filter({ hasText: contractor.name }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: ui.save }).click()
  await expect(page.locator('main').getByRole('link', { name: contractor.name })).toBeVisible()

  await page.getByRole('button', { name: ui.list.rowActions.replace('{row}', 'E2E Орлова Вера') }).click()
  await page.getByRole('menuitem', { name: t.delete }).click()
  await dialog.getByRole('textbox').fill('nobody')
  await dialog.getByRole('button', { name: t.deleteVerb }).click()
  await expect(dialog.getByText(t.deleteMismatch.replace('{login}', login))).toBeVisible()
  await dialog.getByRole('textbox').fill(login)
  await dialog.getByRole('button', { name: t.deleteVerb }).click()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
})

test('doubles are merged after what that does is shown, and nobody with more rights is', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  const [target, double] = [await createUser({ roles: [] }), await createUser({ roles: [] })]
  const company = await createContractor()
  await join(company, double.id, [])
  await asOwn(context, 'support', language)
  await page.goto(`${path}/${target.id}`)
  await takenOver(page)
  await page.getByRole('button', { name: ui.list.rowActions.replace('{row}', target.fio) }).click()
  await page.getByRole('menuitem', { name: t.merge }).click()
  const dialog = page.getByRole('dialog')
  const choose = async (text: string) => {
    await dialog.getByRole('button', { name: t.mergeSources, exact: true }).click()
    await page.getByRole('combobox').last().fill(text)
    await page.getByRole('option').filter({ hasText: text }).first().click()
    await page.keyboard.press('Escape')
  }
  await choose((await ownPerson('administrator')).email ?? '')
  await expect(dialog.getByText(t.mergeDenied)).toBeVisible()
  await expect(dialog.getByRole('button', { name: t.mergeVerb })).toHaveCount(0)
  await dialog
    .getByRole('button', { name: ui.form.removeValue.split('{')[0] })
    .first()
    .click()
  await choose(double.email)
  await expect(dialog.getByText(t.mergeContractors.replace('{count}', '1'))).toBeVisible()
  await dialog.getByRole('button', { name: t.mergeVerb }).click()
  await expect(page.getByText(snackbar.userMerge)).toBeVisible()
  await page
    .locator('main')
    .getByRole('link', { name: new RegExp(`^${t.access}`) })
    .click()
  await expect(page.locator('main').getByRole('link', { name: company.contractor.name })).toBeVisible()
  await page.goto(`${path}/${double.id}`)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(double.fio)
})
