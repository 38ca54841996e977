import { like } from 'drizzle-orm'
import { db } from '@/db/client'
import { accessListEntries } from '@/db/schema/platform'
import { expect, test } from './fixtures'
import { languages } from './sign-in-page'
import { asPerson } from './signed-in'
import { en, ru } from './words'

const words = { ru, en }
const comment = 'E2E entry'

test.beforeEach(async ({ database: _ }) => {
  await db().delete(accessListEntries).where(like(accessListEntries.comment, 'E2E%'))
})

for (const language of languages) {
  const { 'access-lists': t, blacklist, ui, snackbar, errors } = words[language]

  test(`an entry is added, changed, checked and deleted; one’s own address is refused, ${language}`, async ({
    page,
    context,
  }) => {
    await asPerson(context, 'admin', language)
    await page.goto('/platform/setting/blacklist')

    // the checker begins with one's own address, which no entry may deny
    await page.getByRole('button', { name: t.check.action }).click()
    const check = page.getByRole('dialog', { name: t.check.title })
    const own = await check.getByLabel(t.check.ip).inputValue()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: blacklist.create }).first().click()
    const dialog = page.getByRole('dialog', { name: blacklist.createTitle })
    await dialog.getByLabel(t.ip, { exact: true }).fill(own)
    await dialog.getByLabel(t.comment).fill(comment)
    const create = dialog.getByRole('button', { name: ui.create, exact: true })
    await create.click()
    await expect(dialog.getByText(errors.ownAddressDenied).first()).toBeVisible()
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
}
