import type { Page } from '@playwright/test'
import { eq, inArray } from 'drizzle-orm'
import sharp from 'sharp'
import { db } from '@/db/client'
import { methods, roleMethods, roles, userRoles } from '@/db/schema'
import { roleIds } from '@/db/seed/demo/applications'
import { announceChanges } from '@/lib/sign-in/sessions/changes'
import { createUser } from '../factories/users'
import { expect, test } from './fixtures'
import { asOwn, asPerson, pressCreate, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { shell, ui, 'device-types': types } = words
const spoken = {
  ru: { fio: 'ФИО', typed: 'Лиственницына Вера Марковна', shown: 'Вера Лиственницына', service: 'Склад' },
  en: { fio: 'Full name', typed: 'Vera Listvennitsyna', shown: 'Vera Listvennitsyna', service: 'Warehouse' },
}[language]
const personal = '/platform/profile/personal'

/** Counts how often a page is read anew while it stays open. */
function refreshesOf(page: Page) {
  const seen = { count: 0 }
  page.on('request', (request) => {
    if (request.headers().rsc && request.headers()['next-router-prefetch'] === undefined) seen.count++
  })
  return seen
}

async function editName(page: Page, text: string) {
  await page.goto(personal)
  await takenOver(page)
  const group = page.locator('main section').filter({ has: page.locator('[id="fio"]') })
  await group.getByRole('button', { name: ui.edit }).click()
  const field = page.getByRole('textbox', { name: spoken.fio, exact: true })
  await field.fill(text)
  return field
}

test('the other tabs follow name, picture and services at once, once each, and keep what is typed and open', {
  tag: '@full',
}, async ({ page, context, browser, baseURL }) => {
  const { id, login } = await createUser()
  await asPerson(context, login, language)
  const [services, form] = [await context.newPage(), await context.newPage()]
  await services.goto('/platform/apps')
  await expect(services.getByText(shell.limited, { exact: true })).toBeVisible()
  await services.keyboard.press('Control+k')
  const search = services.getByRole('dialog', { name: shell.palette.title }).getByRole('combobox')
  await search.fill('недописан')
  const typed = await editName(form, 'Недописанное Имя')
  await editName(page, spoken.typed)
  const all = [page, services, form]
  const counts = all.map(refreshesOf)
  const refreshes = () => counts.map(({ count }) => count)
  const header = (tab: Page) => tab.locator('header.sticky')

  await page.getByRole('button', { name: ui.save, exact: true }).click()
  for (const tab of all) await expect(header(tab)).toContainText(spoken.shown)
  await expect.poll(refreshes).toEqual([1, 1, 1])

  const small = sharp({ create: { width: 300, height: 300, channels: 3, background: '#2b6b5a' } }).png()
  const file = { name: 'me.png', mimeType: 'image/png', buffer: await small.toBuffer() }
  const headers = { origin: baseURL ?? '' }
  const api = `${baseURL}/api/v1/platform`
  expect((await context.request.patch(`${api}/user/avatar`, { multipart: { file }, headers })).status()).toBe(200)
  for (const tab of all) await expect(header(tab).locator('img[src*="/user/avatar/"]')).toHaveCount(1)
  await expect.poll(refreshes).toEqual([2, 2, 2])

  const other = await browser.newContext({ baseURL })
  await asOwn(other, 'administrator')
  const holders = `${api}/setting/roles/${roleIds.controller}/holders`
  expect((await other.request.post(holders, { data: { users: [id] }, headers })).status()).toBe(200)
  await other.close()
  for (const tab of all) {
    await expect(header(tab)).toContainText(shell.switchService)
    await expect(tab.getByText(shell.limited, { exact: true })).toHaveCount(0)
    await expect(tab.getByText(shell.noServices)).toHaveCount(0)
  }
  await expect(services.locator('main').getByText(spoken.service, { exact: true })).toHaveCount(1)
  await expect.poll(refreshes).toEqual([3, 3, 3])

  await expect(search).toHaveValue('недописан')
  await expect(search).toBeFocused()
  // the form has kept its version too, so what was saved meanwhile isn't lost
  await expect(typed).toHaveValue('Недописанное Имя')
  await form.getByRole('button', { name: ui.save, exact: true }).click()
  await expect(form.getByRole('group', { name: ui.conflict.label })).toContainText(spoken.typed)
  await expect(typed).toHaveValue('Недописанное Имя')
  expect(refreshes()).toEqual([3, 3, 3])
})

test('what is typed stays when the right to the page is taken, and leaving shows that it is gone', async ({
  page,
  context,
  database: _,
}) => {
  const user = await createUser()
  const given = await db()
    .select({ methodId: methods.id })
    .from(methods)
    .where(inArray(methods.code, ['device-types.read', 'device-types.write']))
  const [role] = await db().insert(roles).values({ name: user.login, roleType: 'systemic' }).returning()
  const roleId = role?.id ?? ''
  await db()
    .insert(roleMethods)
    .values(given.map((method) => ({ ...method, roleId })))
  await db().insert(userRoles).values({ userId: user.id, roleId })
  await asPerson(context, user.login, language)
  await page.goto('/platform/setting/device-types')
  await takenOver(page)
  await pressCreate(page, types.create)
  const field = page.getByRole('dialog').getByRole('textbox').first()
  await field.fill('Недописанный тип')
  const asked = page.waitForResponse((answer) => answer.request().method() === 'HEAD')
  await db().transaction(async (tx) => {
    await tx.delete(userRoles).where(eq(userRoles.roleId, roleId))
    await announceChanges(tx, [user.id])
  })
  expect((await asked).status()).toBe(403)
  await expect(field).toHaveValue('Недописанный тип')
  page.once('dialog', (dialog) => dialog.accept())
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: shell.noAccess.title })).toBeVisible()
})
