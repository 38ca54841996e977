import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { passwordFailures, users } from '@/db/schema'
import { createRoleWith } from '../factories/access'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const path = '/platform/setting/users'

const { users: t, ui, snackbar, errors } = words

test('several are disabled at once, and whoever has more rights is named and stays', async ({
  page,
  context,
  database: _,
}) => {
  const mark = `bulk-${randomUUID().slice(0, 8)}`
  const weak = [
    await createUser({ roles: [], login: `${mark}-a`, fio: `Слабый ${mark} А` }),
    await createUser({ roles: [], login: `${mark}-b`, fio: `Слабый ${mark} Б` }),
  ]
  const beyond = await createRoleWith(['license.write'])
  const strong = await createUser({ roles: [beyond], login: `${mark}-c`, fio: `Сильный ${mark}` })
  await asOwn(context, 'support', language)
  await page.goto(`${path}?filter[search]=${mark}`)
  await takenOver(page)
  for (const { fio } of [...weak, strong])
    await page.getByRole('row').filter({ hasText: fio }).getByRole('checkbox').click()
  await page.getByRole('button', { name: t.bulkAct }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t.reason).fill('E2E: уволены')
  await dialog.locator('button[type=submit]').click()
  await expect(dialog.getByRole('listitem')).toHaveCount(3)
  await expect(dialog.getByRole('listitem').filter({ hasText: strong.fio })).toContainText(errors.forbiddenUser)
  await expect(dialog.getByRole('listitem').filter({ hasText: t.bulkDone })).toHaveCount(2)
  await dialog.getByRole('button', { name: ui.close }).last().click()
  await expect(page.getByRole('row').filter({ hasText: mark }).filter({ hasText: t.disabled })).toHaveCount(2)
  const [row] = await db().select({ enabled: users.enabled }).from(users).where(eq(users.id, strong.id))
  expect(row?.enabled).toBe(true)
})

test('the bar of the chosen stays in sight on a phone, and the total stands once', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  await takenOver(page)
  const main = page.locator('main')
  await main.getByRole('checkbox').last().click()
  const bar = page.getByRole('region', { name: ui.bulk.label })
  await expect(bar.getByRole('button', { name: t.bulkAct })).toBeInViewport({ ratio: 1 })
  await expect(main.getByText(language === 'ru' ? /^Всего/ : /total$/)).toHaveCount(1)
  // what is clicked disappears, and the focus stays in the list
  await page.getByRole('button', { name: ui.bulk.page.split('{')[0] }).click()
  await expect(bar.getByRole('button', { name: ui.bulk.clear })).toBeFocused()
  await bar.getByRole('button', { name: ui.bulk.clear }).click()
  await expect(main.getByRole('checkbox').first()).toBeFocused()
})

test('limits that somebody’s wrong passwords have closed are seen and lifted', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  const person = await createUser({ roles: [] })
  const key = `account ${person.id}`
  await db().insert(passwordFailures).values({ key, userId: person.id, count: 1_000, lastAt: new Date() })
  await asOwn(context, 'support', language)
  await page.goto(`${path}/${person.id}`)
  await takenOver(page)
  await expect(page.locator('main').getByText(t.passwordClosed)).toBeVisible()
  await page.locator('main').getByRole('button', { name: t.lift }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.lift }).click()
  await expect(page.getByText(snackbar.userLimitsLift)).toBeVisible()
  await expect(page.locator('main').getByText(t.passwordClosed)).toHaveCount(0)
})

test('what somebody sees is shown, and of somebody with more rights it isn’t', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  const person = await createUser({ roles: [await createRoleWith(['users.read'])] })
  const strong = await createUser({ roles: [await createRoleWith(['license.write'])] })
  await asOwn(context, 'support', language)
  await page.goto(`${path}/${person.id}?tab=preview`)
  const main = page.locator('main')
  await expect(main.getByRole('heading', { name: t.previewMenus })).toBeVisible()
  await expect(main.getByText('users.read', { exact: true })).toBeVisible()
  await page.goto(`${path}/${strong.id}?tab=preview`)
  await expect(main.getByText(t.barred).first()).toBeVisible()
  await expect(main.getByText('license.write')).toHaveCount(0)
})

test('the list that a search finds is taken away as a file', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  const mark = `file-${randomUUID().slice(0, 8)}`
  await createUser({ roles: [], login: mark, fio: '=1+1' })
  await asOwn(context, 'support', language)
  await page.goto(`${path}?filter[search]=${mark}`)
  await takenOver(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: ui.list.export.open }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^CSV/ }).check()
  await dialog.locator('button').last().click()
  const text = await (await saved).createReadStream().then(async (stream) => {
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(part as Buffer)
    return Buffer.concat(parts).toString()
  })
  expect(text).toContain(mark)
  // a spreadsheet would calculate it
  expect(text).toContain("'=1+1")
  expect(text.trim().split('\r\n')).toHaveLength(2)
})
