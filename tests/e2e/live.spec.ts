import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { roleIds } from '@/db/seed/demo/applications'
import { expect, test } from './fixtures'
import { person } from './people'
import { asPerson, signInAs, takenOver } from './signed-in'
import { wordsOf } from './words'

const { shell, ui } = wordsOf('ru')
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
  const field = page.getByRole('textbox', { name: 'ФИО', exact: true })
  await field.fill(text)
  return field
}

test('the other tabs follow name, picture and services at once, once each, and keep what is typed and open', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const { id, login } = await person(['credentials'])
  await signInAs(context, login)
  const [services, form] = [await context.newPage(), await context.newPage()]
  await services.goto('/platform/apps')
  await expect(services.getByText(shell.noServices)).toBeVisible()
  await services.keyboard.press('Control+k')
  const search = services.getByRole('dialog', { name: shell.palette.title }).getByRole('combobox')
  await search.fill('недописан')
  const typed = await editName(form, 'Недописанное Имя')
  await editName(page, 'Лиственницына Вера Марковна')
  const all = [page, services, form]
  const counts = all.map(refreshesOf)
  const refreshes = () => counts.map(({ count }) => count)
  const header = (tab: Page) => tab.locator('header.sticky')

  await page.getByRole('button', { name: ui.save, exact: true }).click()
  for (const tab of all) await expect(header(tab)).toContainText('Вера Лиственницына')
  await expect.poll(refreshes).toEqual([1, 1, 1])

  const small = sharp({ create: { width: 300, height: 300, channels: 3, background: '#2b6b5a' } }).png()
  const file = { name: 'me.png', mimeType: 'image/png', buffer: await small.toBuffer() }
  const headers = { origin: baseURL ?? '' }
  const api = `${baseURL}/api/v1/platform`
  expect((await context.request.patch(`${api}/user/avatar`, { multipart: { file }, headers })).status()).toBe(200)
  for (const tab of all) await expect(header(tab).locator('img[src*="/user/avatar/"]')).toHaveCount(1)
  await expect.poll(refreshes).toEqual([2, 2, 2])

  const other = await browser.newContext({ baseURL })
  await asPerson(other, 'admin')
  const holders = `${api}/setting/roles/${roleIds.controller}/holders`
  expect((await other.request.post(holders, { data: { users: [id] }, headers })).status()).toBe(200)
  await other.close()
  for (const tab of all) {
    await expect(header(tab)).toContainText(shell.switchService)
    await expect(tab.getByText(shell.noServices)).toHaveCount(0)
  }
  await expect(services.locator('main').getByText('Склад', { exact: true })).toHaveCount(1)
  await expect.poll(refreshes).toEqual([3, 3, 3])

  await expect(search).toHaveValue('недописан')
  await expect(search).toBeFocused()
  // the form has kept its version too, so what was saved meanwhile isn't lost
  await expect(typed).toHaveValue('Недописанное Имя')
  await form.getByRole('button', { name: ui.save, exact: true }).click()
  await expect(form.getByRole('group', { name: ui.conflict.label })).toContainText('Лиственницына Вера Марковна')
  await expect(typed).toHaveValue('Недописанное Имя')
  expect(refreshes()).toEqual([3, 3, 3])
})
