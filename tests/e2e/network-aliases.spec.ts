import { eq, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { networkAliases, networkAliasIps } from '@/db/schema/platform'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn, pressCreate } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { 'network-aliases': t, ui, errors, snackbar, common, shell } = words
const path = '/platform/setting/network-aliases'
const prefix = 'E2E alias '
const called = (text: string, name: string) => text.replace('{name}', name)

/** Inserts aliases into the database, the newest last. */
async function seed(count: number) {
  const rows = await db()
    .insert(networkAliases)
    .values(Array.from({ length: count }, (_, n) => ({ name: `${prefix}${String(n + 1).padStart(3, '0')}` })))
    .returning()
  await db()
    .insert(networkAliasIps)
    .values(rows.map(({ id }, n) => ({ aliasId: id, ip: `10.77.${n}.0/24` })))
  return rows
}
const forget = async () => {
  await db()
    .delete(networkAliases)
    .where(like(networkAliases.name, `${prefix}%`))
}
test.beforeEach(async ({ database: _ }) => forget())
test.afterEach(forget)

test('an alias is created, changed and deleted', async ({ page, context }) => {
  const [other] = await seed(1)
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  const name = `${prefix}VPN`
  await pressCreate(page, t.create)
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  await expect(dialog.getByLabel(t.name, { exact: true })).toBeFocused()

  // nothing is sent, and the field shows its error
  await dialog.getByLabel(t.ip).fill('10.20.30.40/16')
  await dialog.getByRole('button', { name: t.addIp }).click()
  await expect(dialog.getByLabel(t.ip).nth(1)).toBeFocused()
  await dialog.getByLabel(t.ip).nth(1).fill('10.0.0.999')
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await expect(dialog.getByLabel(t.ip).nth(1)).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByText(errors.errorSubnet).first()).toBeVisible()
  await expect(dialog.getByLabel(t.name, { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByText(errors.errorEmpty).first()).toBeVisible()
  await dialog.getByLabel(t.name, { exact: true }).fill(other?.name ?? '')

  // the dialog also shows errors that only the server finds
  await dialog.getByLabel(t.ip).nth(1).fill('2001:db8::1')
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await expect(dialog.getByText(errors.errorUnique).first()).toBeVisible()
  await dialog.getByLabel(t.name, { exact: true }).fill(name)
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(snackbar.networkAliasCreate)).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('10.20.0.0/16')
  await expect(row).toContainText(t.notUsed)

  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.edit }).click()
  const edit = page.getByRole('dialog', { name: called(t.editTitle, name) })
  await edit.getByRole('button', { name: /1$/ }).first().click()
  await expect(edit.getByLabel(t.ip)).toHaveValue('2001:db8::1')
  await edit.getByRole('button', { name: ui.save }).click()
  await expect(edit).toBeHidden()
  await expect(row).not.toContainText('10.20.0.0/16')

  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.delete }).click()
  const ask = page.getByRole('alertdialog', { name: called(t.deleteTitle, name) })
  await expect(ask).toContainText(t.deleteText)
  await ask.getByRole('button', { name: ui.delete }).click()
  await expect(page.getByText(snackbar.networkAliasDelete)).toBeVisible()
  await expect(row).toBeHidden()
})

test('a row that somebody else deleted disappears, with a notice', { tag: '@full' }, async ({ page, context }) => {
  const [alias] = await seed(1)
  if (!alias) throw new Error('no alias')
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}?filter[search]=${alias.name}`)
  const row = page.getByRole('row').filter({ hasText: alias.name })
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.delete }).click()
  await db().delete(networkAliases).where(eq(networkAliases.id, alias.id))
  const ask = page.getByRole('alertdialog')
  await ask.getByRole('button', { name: ui.delete }).click()
  await expect(ask).toHaveCount(0)
  await expect(row).toHaveCount(0)
  await expect(page.getByRole('region', { name: common.notices }).getByText(errors.notFound)).toBeVisible()
})

test.describe('if an answer got lost', () => {
  test.use({ provoked: /net::ERR_FAILED/ })
  test('sending the same again runs it once', async ({ page, context }) => {
    await asOwn(context, 'administrator', language)
    await page.goto(path)
    let lost = 0
    await page.route('**/setting/network-aliases', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.fallback()
      lost++
      expect((await route.fetch()).status()).toBe(200)
      await route.abort()
    })
    const name = `${prefix}lost`
    await pressCreate(page, t.create)
    const dialog = page.getByRole('dialog', { name: t.createTitle })
    await dialog.getByLabel(t.name, { exact: true }).fill(name)
    await dialog.getByLabel(t.ip).fill('10.20.30.40')
    const create = dialog.getByRole('button', { name: ui.create, exact: true })
    await create.click()
    await expect(dialog.getByText(errors.offline)).toBeVisible()
    expect(lost).toBe(1)
    await create.click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1)
    expect(await db().select().from(networkAliases).where(eq(networkAliases.name, name))).toHaveLength(1)
  })
})

test('the search doesn’t open over a dialog, whose input stays', { tag: '@full' }, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  await pressCreate(page, t.create)
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  await dialog.getByLabel(t.name, { exact: true }).fill('набрано')
  await page.keyboard.press('Control+k')
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  await expect(dialog.getByLabel(t.name, { exact: true })).toHaveValue('набрано!')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: ui.unsaved.leave }).click()
  await expect(dialog).toBeHidden()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: shell.palette.title })).toBeVisible()
})

test('what is typed while a dialog saves can’t be lost: its fields are held until the answer', {
  tag: '@full',
}, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  await pressCreate(page, t.create)
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  const field = dialog.getByLabel(t.name, { exact: true })
  await field.fill(`${prefix}held`)
  await dialog.getByLabel(t.ip).fill('10.20.30.40')
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route('**/api/v1/platform/setting/network-aliases', async (route) => {
    arrived.resolve()
    await released.promise
    await route.fulfill({ status: 400, json: {} })
  })
  await field.press('Enter')
  await arrived.promise
  await page.keyboard.type('!')
  await expect(field).toHaveValue(`${prefix}held`)
  released.resolve()
  // the failure takes the focus, and the fields take input again
  await expect(dialog.locator('[role=group]:focus')).toBeVisible()
  await field.fill(`${prefix}held, then saved`)
  await page.unroute('**/api/v1/platform/setting/network-aliases')
  await field.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('row', { name: `${prefix}held, then saved` })).toBeVisible()
})

test('search, filters, sort and page are in the address and survive a reload', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await seed(25)
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  await page.getByRole('textbox', { name: t.search }).fill(prefix.trim())
  await expect(page).toHaveURL(/filter%5Bsearch%5D=E2E/)
  await expect(page.getByRole('status').filter({ hasText: '25' })).toBeVisible()
  await page.getByRole('columnheader', { name: t.name }).getByRole('link').click()
  await expect(page.getByRole('columnheader', { name: t.name })).toHaveAttribute('aria-sort', 'descending')
  await expect(page.getByRole('rowheader').first()).toHaveText(`${prefix}025`, { useInnerText: true })
  await page.getByRole('link', { name: ui.list.forward }).click()
  await expect(page.getByRole('rowheader').first()).toHaveText(`${prefix}005`, { useInnerText: true })
  const address = page.url()
  await page.reload()
  await expect(page).toHaveURL(address)
  await expect(page.getByRole('rowheader')).toHaveCount(5)
  await expect(page.getByRole('textbox', { name: t.search })).toHaveValue(prefix.trim())

  await page.getByRole('button', { name: ui.list.addFilter }).click()
  await page.getByRole('button', { name: t.subnet }).click()
  await page.getByRole('textbox', { name: t.subnet }).fill('10.77.3.9')
  await page.getByRole('button', { name: ui.list.apply }).click()
  await expect(page.getByRole('rowheader')).toHaveText([`${prefix}004`], { useInnerText: true })
  await page.reload()
  await expect(page.getByRole('rowheader')).toHaveText([`${prefix}004`], { useInnerText: true })
  await page.goBack()
  await expect(page.getByRole('rowheader')).toHaveCount(5)
  await page.goForward()
  await page.getByRole('link', { name: ui.list.reset }).click()
  await expect(page).not.toHaveURL(/filter/)
  await expect(page.getByRole('textbox', { name: t.search })).toHaveValue('')
  await expect(page.getByRole('rowheader')).toHaveCount(20)
})

test('a created row is shown wherever it sorts; if filters hide it, the page says so', {
  tag: '@full',
}, async ({ page, context }) => {
  await seed(25)
  await asOwn(context, 'administrator', language)
  const create = async (name: string) => {
    await pressCreate(page, t.create)
    const dialog = page.getByRole('dialog', { name: t.createTitle })
    await dialog.getByLabel(t.name, { exact: true }).fill(name)
    await dialog.getByLabel(t.ip).fill('10.20.30.40')
    await dialog.getByRole('button', { name: ui.create, exact: true }).click()
    await expect(dialog).toBeHidden()
  }
  const names = page.getByRole('rowheader')
  await page.goto(`${path}?filter[search]=${prefix.trim()}&meta[perPage]=10&sortBy=name&sort=asc`)
  const last = `${prefix}яя`
  await create(last)
  await expect(names.first()).toContainText(last)
  await expect(names.first()).toContainText(ui.list.new)
  await expect(names).toHaveCount(11)
  // the mark disappears with the next step
  await page.getByRole('link', { name: ui.list.forward }).click()
  await expect(page).not.toHaveURL(/created/)
  await expect(page.getByText(ui.list.new, { exact: true })).toHaveCount(0)

  await page.goto(`${path}?filter[search]=${prefix}00`)
  const hidden = `${prefix}скрыт`
  await create(hidden)
  await expect(page.getByText(ui.list.createdHidden)).toBeVisible()
  await expect(names.filter({ hasText: hidden })).toHaveCount(0)
  await page.getByRole('link', { name: ui.list.createdShow }).click()
  await expect(names.filter({ hasText: hidden })).toContainText(ui.list.new)
  await expect(page).not.toHaveURL(/filter/)
})

test('works by keyboard alone', { tag: '@full' }, async ({ page, context }) => {
  const [alias] = await seed(1)
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}?filter[search]=${prefix.trim()}`)
  const menu = page.getByRole('row').filter({ hasText: alias?.name }).getByRole('button')
  await menu.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Home')
  await expect(page.getByRole('menuitem', { name: ui.edit })).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel(t.name, { exact: true })).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(`${prefix}keys`)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('rowheader')).toHaveText(`${prefix}keys`, { useInnerText: true })
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: `${prefix}keys` })
      .getByRole('button'),
  ).toBeFocused()
})

test('people who may only read see all addresses and can change nothing', {
  tag: '@full',
}, async ({ page, context }) => {
  const [alias] = await seed(1)
  await db()
    .insert(networkAliasIps)
    .values({ aliasId: alias?.id ?? '', ip: '2001:db8:77::/48' })
  await asOwn(context, 'auditor', language)
  await page.goto(`${path}?filter[search]=${alias?.name}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: t.create })).toHaveCount(0)
  await page.getByRole('row', { name: alias?.name }).getByRole('button').click()
  await expect(page.getByRole('menuitem')).toHaveText([ui.view])
  await page.getByRole('menuitem', { name: ui.view }).click()
  await expect(page.getByRole('dialog')).toContainText('2001:db8:77::/48')
})

test('people without the right to read get 403', { tag: '@full' }, async ({ context, baseURL }) => {
  const [alias] = await seed(1)
  await asOwn(context, 'employee', language)
  const answer = await context.request.get(`${baseURL}${path}?filter[search]=${alias?.name}`)
  expect(answer.status()).toBe(403)
  expect(await answer.text()).not.toContain('10.77.0.0/24')
})
