import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { history as historyRows } from '@/db/schema/operations'
import { domains as domainRows } from '@/db/schema/platform'
import { createDomainWith, first, localeId, texts } from '../factories/platform'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { domains, history, snackbar, 'whole-history': t, ui } = words
const path = '/platform/setting/history'

// the connection that a test breaks off
test.use({ provoked: /ERR_CONNECTION_RESET/ })

test('a change is found by the name of its object, read, and followed to the card', async ({
  page,
  context,
  database: _,
}) => {
  const fio = `Истомина ${randomUUID().slice(0, 8)}`
  const { id, updatedAt } = await createUser({ fio })
  await asOwn(context, 'administrator', language)
  const disabled = await context.request.put(`/api/v1/platform/setting/users/${id}/enabled`, {
    data: { enabled: false, reason: 'E2E: история', updatedAt },
    headers: { origin: process.env.PUBLIC_URL ?? '' },
  })
  expect(disabled.status(), await disabled.text()).toBe(200)

  await page.goto(path)
  await takenOver(page)
  await page.getByRole('textbox', { name: t.search }).fill(fio)
  const list = page.locator('main li')
  await expect(list).toHaveCount(1)
  await expect(list.getByText(fio)).toBeVisible()
  await expect(list.getByText(history.entities.users).first()).toBeVisible()
  await expect(list.getByText('E2E: история')).toBeVisible()
  // what the address says survives a reload
  await page.reload()
  await expect(list).toHaveCount(1)
  await list.getByRole('link', { name: history.view.openCard }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(fio)
})

test('what is found is taken away as a file, which the history knows; half a file isn’t saved', {
  tag: '@full',
}, async ({ page, context, database: _ }) => {
  const { login } = await createUser({ fio: `Вывозова ${randomUUID().slice(0, 8)}` })
  await asOwn(context, 'administrator', language)
  await page.goto(`/platform/setting/users?filter[search]=${login}`)
  await takenOver(page)
  const t = ui.list.export
  await page.getByRole('button', { name: t.open, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: t.title })
  const verb = dialog.getByRole('button', { name: /1/ })
  await page.route('**/setting/users/export*', (route) => route.abort('connectionreset'))
  await verb.click()
  await expect(dialog.getByRole('alert')).toHaveText(snackbar.downloadError)
  await page.unroute('**/setting/users/export*')
  await dialog.getByRole('radio', { name: t.formats.csv }).check()
  const [download] = await Promise.all([page.waitForEvent('download'), verb.click()])
  expect(download.suggestedFilename()).toMatch(/^users-[\d-]+\.csv$/)
  expect(await text(await download.createReadStream())).toContain(login)
  await expect(dialog).toBeHidden()

  await page.goto(`${path}?filter[entity]=users-export`)
  const act = page.locator('main li').filter({ hasText: login })
  await expect(act.first()).toContainText(history.entities['users-export'])
})

test('a change of a domain’s texts is a row for each text, by language and label', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  const host = `history-${randomUUID().slice(0, 8)}.localhost`
  const id = await createDomainWith({ hosts: [host] })
  const [ru, en] = await Promise.all([localeId('ru'), localeId('en')])
  const side = (projectTitle: string, enabled: boolean) => [
    { localeId: ru, order: 0, enabled: true, settings: texts('Портал', { projectTitle }) },
    { localeId: en, order: 1, enabled, settings: texts('Portal') },
  ]
  const [previous, current] = [side('До перемены', true), side('После перемены', false)]
  const row = { type: 'update', entity: 'domains', entityId: id, field: 'locales' } as const
  await db()
    .insert(historyRows)
    .values({ ...row, previous, current })
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}?filter[search]=${id}`)
  const act = page.locator('main li')
  await expect(act).toHaveCount(1)
  const rows = act.locator('dl > div')
  await expect(rows).toHaveCount(2)
  const [title, visibility] = [rows.nth(0), rows.nth(1)]
  await expect(title).toContainText(` · ${domains.projectTitle}`)
  await expect(title.locator('dd')).toHaveText([/До перемены$/, /После перемены$/])
  await expect(visibility).toContainText(` · ${domains.record.shown}`)
  await expect(visibility.locator('dd')).toHaveText([new RegExp(`${ui.list.yes}$`), new RegExp(`${ui.list.no}$`)])
  // neither ids nor names of members as they are stored
  await expect(act.locator('dl')).not.toContainText(/localeId|projectTitle|[\da-f]{8}-[\da-f]{4}-/)
  await db().delete(domainRows).where(eq(domainRows.id, id))
})

test('who may not read an area doesn’t find its changes, and the list says so', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  const row = { type: 'update', entity: 'roles', entityId: randomUUID(), field: 'name' } as const
  const { entityId } = first(await db().insert(historyRows).values(row).returning())
  await asOwn(context, 'support', language)
  await page.goto(`${path}?filter[search]=${entityId}`)
  await expect(page.getByText(ui.list.noMatchTitle.replace('{search}', entityId))).toBeVisible()
  await takenOver(page)
  await page.getByRole('button', { name: ui.list.addFilter }).click()
  await page.getByRole('button', { name: t.object, exact: true }).click()
  await expect(page.getByText(history.entities.users, { exact: true }).first()).toBeVisible()
  await expect(page.getByText(history.entities.roles, { exact: true })).toHaveCount(0)
})
