import { and, eq, inArray, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { accessListEntries, settings } from '@/db/schema/platform'
import { invalidate } from '@/lib/base/cache/cache'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { asOwn, pressCreate } from './signed-in'
import { spokenIn } from './spoken'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { 'access-lists': t, blacklist, whitelist, ui, snackbar, errors } = words
const comment = 'E2E entry'

const applyAtOnce = () =>
  db().transaction(async (tx) => {
    for (const name of ['settings', 'network-aliases']) await invalidate(tx, name)
  })
let switchedOff: string[] = []
async function forget() {
  await db().delete(settings).where(eq(settings.id, 'whitelistMode'))
  await db().delete(accessListEntries).where(like(accessListEntries.comment, 'E2E%'))
  await db().update(accessListEntries).set({ enabled: true }).where(inArray(accessListEntries.id, switchedOff))
  switchedOff = []
  await applyAtOnce()
}
test.beforeEach(async ({ database: _ }) => forget())
test.afterEach(forget)

/** Lets in this machine alone, until a day far away. */
async function whitelistOnly() {
  const dateTo = new Date('2040-01-01T00:00:00Z')
  // the demo's own entries have no end
  const off = await db()
    .update(accessListEntries)
    .set({ enabled: false })
    .where(and(eq(accessListEntries.list, 'whitelist'), accessListEntries.enabled))
    .returning()
  switchedOff = off.map(({ id }) => id)
  await db()
    .insert(accessListEntries)
    .values(['127.0.0.0/8', '::1/128'].map((ip) => ({ list: 'whitelist' as const, ip, dateTo, comment: 'E2E own' })))
  await db().insert(settings).values({ id: 'whitelistMode', value: true })
  await applyAtOnce()
}

/** The longest words of a text that are between its values. */
const wordsIn = (text: string) =>
  text.split(/\{[^}]*\}/).reduce((longest, part) => (part.length > longest.length ? part : longest))

test('an entry is added, changed, checked and deleted; one’s own address is refused', async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto('/platform/setting/blacklist')

  // the checker begins with one's own address, which no entry may deny
  await page.getByRole('button', { name: t.check.action }).click()
  const check = page.getByRole('dialog', { name: t.check.title })
  const ownAddress = await check.getByLabel(t.check.ip).inputValue()
  await page.keyboard.press('Escape')
  await pressCreate(page, blacklist.create)
  const dialog = page.getByRole('dialog', { name: blacklist.createTitle })
  await dialog.getByLabel(t.ip, { exact: true }).fill(ownAddress)
  await dialog.getByLabel(t.comment).fill(comment)
  const create = dialog.getByRole('button', { name: ui.create, exact: true })
  await create.click()
  await expect(dialog.getByText(wordsIn(errors.ownAddressDenied)).first()).toBeVisible()
  expect(await db().select().from(accessListEntries).where(like(accessListEntries.comment, comment))).toEqual([])

  // dates that end before they begin are refused before anything is sent
  await dialog.getByLabel(t.ip, { exact: true }).fill('198.51.100.77/24')
  await dialog.getByLabel(t.dateFrom).fill('2030-01-02T10:00')
  await dialog.getByLabel(t.dateTo).fill('2030-01-02T09:00')
  await create.click()
  await expect(dialog.getByText(errors.errorPeriod).first()).toBeVisible()
  await dialog.getByLabel(t.dateFrom).fill('')
  await create.click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(snackbar.blacklistCreate)).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: '198.51.100.0/24' })
  await expect(row).toContainText(t.states.active)

  // it counts for requests at once
  await page.getByRole('button', { name: t.check.action }).click()
  await check.getByLabel(t.check.ip).fill('198.51.100.9')
  await page.keyboard.press('Enter')
  await expect(check.getByRole('status')).toContainText(t.check.byBlacklist)
  await expect(check.getByRole('listitem')).toContainText(comment)
  await page.keyboard.press('Escape')

  // the time stays as it was entered
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.edit }).click()
  const edit = page.getByRole('dialog')
  await expect(edit.getByLabel(t.dateTo)).toHaveValue('2030-01-02T09:00')
  await edit.getByLabel(t.dateFrom).fill('2030-01-01T00:00')
  await edit.getByRole('button', { name: ui.save }).click()
  await expect(edit).toBeHidden()
  await expect(row).toContainText(t.states.planned)

  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.delete }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.delete }).click()
  await expect(page.getByText(snackbar.blacklistDelete)).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('a whitelist that dates will empty warns, and one’s own entry can’t end', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await whitelistOnly()
  await asOwn(context, 'administrator', language)
  await page.goto('/platform/setting/whitelist')
  const warning = page.getByText(wordsIn(t.endsTitle))
  await expect(warning).toBeVisible()

  // one more that ends warns in its form, one that doesn't takes the warning away
  await pressCreate(page, whitelist.create)
  const dialog = page.getByRole('dialog', { name: whitelist.createTitle })
  await dialog.getByLabel(t.ip, { exact: true }).fill('198.51.100.0/24')
  await dialog.getByLabel(t.comment).fill(comment)
  await dialog.getByLabel(t.dateTo).fill('2041-01-02T10:00')
  await expect(dialog.getByRole('status').getByText(wordsIn(t.endsTitle))).toContainText('2041')
  await dialog.getByLabel(t.dateTo).fill('')
  await expect(dialog.getByRole('status').getByText(wordsIn(t.endsTitle))).toHaveCount(0)
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await expect(page.getByText(snackbar.whitelistCreate)).toBeVisible()
  await expect(warning).toHaveCount(0)

  // one's own entry can't end sooner than now, nor later, nor be switched off or deleted
  const row = page.getByRole('row').filter({ hasText: '127.0.0.0/8' })
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.edit }).click()
  const edit = page.getByRole('dialog')
  await edit.getByLabel(t.dateTo).fill('2039-01-02T10:00')
  await edit.getByRole('button', { name: ui.save, exact: true }).click()
  await expect(edit.getByText(wordsIn(errors.ownAddressDeniedLater)).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button').last().click()
  await page.reload()
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.delete }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.delete }).click()
  await expect(page.getByText(wordsIn(errors.ownAddressDenied)).first()).toBeVisible()
  const entries = await db().select().from(accessListEntries).where(eq(accessListEntries.ip, '127.0.0.0/8'))
  expect(entries.map(({ dateTo }) => dateTo?.getUTCFullYear())).toEqual([2040])
})
