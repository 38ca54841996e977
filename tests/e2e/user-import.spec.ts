import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const path = '/platform/setting/users'

const { 'user-import': t, users, runs, errors } = words

test('a messy file is matched, checked and written, and its wrong rows come back', async ({
  page,
  context,
  database: _,
}) => {
  const mark = `e2e-${randomUUID().slice(0, 8)}`
  // the file of an old Russian spreadsheet: empty rows, a doubled person and a wrong address
  const head = ['Логин', 'ФИО', 'Электронная почта', 'hiringDate', 'Примечание']
  const rows = [
    [`${mark}-a`, 'Орлова Вера', `${mark}-a@polaris.example`, '15.01.2026', ''],
    [],
    [`${mark}-b`, 'Лебедев Пётр', `${mark}-b@`, '15.01.2026', ''],
    [`${mark}-a`, 'Орлова Вера', '', '', ''],
    [`${mark}-c`, 'Громова Нина', `${mark}-c@polaris.example`, '2026-01-16', ''],
  ]
  const text = [head, ...rows].map((cells) => cells.join(';')).join('\r\n')
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  await page.getByRole('link', { name: t.open, exact: true }).click()
  await page
    .getByLabel(t.chooseFile)
    .last()
    .setInputFiles({ name: 'old.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await expect(page.getByRole('combobox', { name: t.encoding })).toHaveText('UTF-8')
  const step = page.locator('section[data-quiet-focus]')
  await expect(step).toBeFocused()
  const mode = page.getByRole('combobox', { name: t.mode })
  await mode.click()
  await page.getByRole('option', { name: t.modes.create }).click()
  // going back keeps what was chosen
  await page.getByRole('button', { name: t.back }).click()
  await expect(step).toBeFocused()
  await page.getByRole('button', { name: t.next, exact: true }).click()
  await expect(mode).toHaveText(t.modes.create)
  await page.getByRole('button', { name: t.check }).click()
  await expect(page.getByText(errors.errorEmail).first()).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: t.downloadWrong }).click()
  expect((await saved).suggestedFilename()).toBe(t.wrongName)
  const wrong = await readFile(await (await saved).path(), 'utf8')
  expect(wrong).toContain(`;${t.wrongHead.row};${t.wrongHead.error}`)
  expect(wrong).toContain(`;4;"${head[2]}: ${errors.errorEmail}"`)
  await page.getByRole('button', { name: t.back }).click()
  await expect(mode).toHaveText(t.modes.create)
  await page.getByRole('button', { name: t.check }).click()
  await page.getByRole('button', { name: new RegExp(language === 'ru' ? 'Записать 2' : 'Write 2') }).click()
  // its wrong rows count
  const partly = new RegExp(`^${runs.partly.split('{')[0]}`)
  await expect(page.getByText(partly).first()).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(t.runNote)).toHaveCount(0)
  await page.getByRole('link', { name: t.toUsers }).click()
  await page.getByRole('textbox', { name: users.search }).fill(`${mark}-`)
  await expect(page.getByRole('row').filter({ hasText: mark })).toHaveCount(2)
})

test('a file without the column of a required field says so once, before its rows are checked', {
  tag: '@full',
}, async ({ page, context, database: _ }) => {
  const mark = `e2e-${randomUUID().slice(0, 8)}`
  // accounts are found as the import before has found them, by the login
  const rows = ['Логин;ФИО;Куда писать', `${mark}-a;Орлова Вера;${mark}-a@polaris.example`]
  const text = [...rows, `${mark}-b;Лебедев Пётр;${mark}-b@polaris.example`].join('\r\n')
  const title = language === 'ru' ? 'Электронная почта' : 'E-mail'
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}/import`)
  await page
    .getByLabel(t.chooseFile)
    .last()
    .setInputFiles({ name: 'short.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  const main = page.locator('main')
  const lacking = main.getByText(language === 'ru' ? /^Нет столбца/ : /^No column/)
  await expect(lacking).toContainText(title)
  await page.getByRole('button', { name: t.check }).click()
  await expect(page.getByText(t.none)).toBeVisible()
  await expect(lacking).toHaveCount(1)
  await expect(main.getByText(`${mark}-a`)).toHaveCount(0)
  await page.getByRole('button', { name: t.back }).click()
  await page.getByRole('combobox', { name: 'Куда писать' }).click()
  await page.getByRole('option', { name: title }).click()
  await expect(lacking).toHaveCount(0)
  await page.getByRole('button', { name: t.check }).click()
  await expect(main.getByText(`${mark}-a`, { exact: true })).toBeVisible()
})

test('a file that can’t be read, and a person who may only look, get no further', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}/import`)
  const choose = page.getByLabel(t.chooseFile).last()
  await choose.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0x50, 0, 1]) })
  await expect(page.getByText(errors.tableFormat)).toBeVisible()
  // an open page would follow the change of the account
  await page.goto('about:blank')
  await asOwn(context, 'auditor', language)
  await page.goto(path)
  await expect(page.getByRole('link', { name: t.open, exact: true })).toHaveCount(0)
  expect((await page.goto(`${path}/import`))?.status()).toBe(403)
})
