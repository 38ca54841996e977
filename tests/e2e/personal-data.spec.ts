import type { BrowserContext, Page } from '@playwright/test'
import { defineField, removeFields } from '../factories/fields'
import { halves } from '../factories/pictures'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { person } from './people'
import { asPerson, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words: t } = spokenIn(import.meta.filename)
const path = '/platform/profile/personal'

/** Waits until the server knows a field: it reads the definitions anew when it is notified. */
const fieldKnown = ({ request }: BrowserContext, code: string) =>
  expect
    .poll(async () => (await request.get(`${process.env.PUBLIC_URL}/api/v1/platform/user/profile/configure`)).text())
    .toContain(code)

// the fields are everybody's, also those of later tests
test.afterEach(() => removeFields())

test('people fill in what is missing, and the alert goes at once', async ({ page, context }) => {
  const code = await defineField({ profileRequired: true, titleEn: 'Badge', title: 'Пропуск' })
  const title = language === 'ru' ? 'Пропуск' : 'Badge'
  const { login } = await person(['credentials'])
  await asPerson(context, login, language)
  await fieldKnown(context, code)
  await page.goto('/platform/profile')
  const needed = page.getByRole('link', { name: new RegExp(`${title}.*${t.profile.needed.fill}`) })
  await needed.click()
  const row = page.locator(`main [id="${code}"]`)
  const group = page.locator('main section').filter({ has: page.locator(`[id="${code}"]`) })
  const field = page.getByLabel(title, { exact: true })
  await expect(field).toBeFocused()
  await expect(page).toHaveURL(new RegExp(`/personal#${code}$`))

  // cancel restores what was there, without a question
  await field.fill('А-1')
  await page.getByRole('button', { name: t.ui.cancel, exact: true }).click()
  await expect(row).toContainText(t.profile.missing)
  await expect(field).toHaveCount(0)
  // the alert's link does it again, on the very page
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(title, 'i') })
    .click()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('')
  await page.getByRole('button', { name: t.ui.cancel, exact: true }).click()

  // another open tab follows without a reload
  const other = await context.newPage()
  await other.goto('/platform/profile')
  const missing = (tab: Page) => tab.getByRole('link', { name: new RegExp(title, 'i') })
  await expect(missing(other)).toHaveCount(2)
  await takenOver(other)
  await other.evaluate(() => document.body.setAttribute('data-same', ''))

  await group.getByRole('button', { name: t.ui.edit }).click()
  await field.fill('А-1')
  await page.getByRole('button', { name: t.ui.save, exact: true }).click()
  await expect(row).toContainText('А-1')
  await expect(missing(page)).toHaveCount(0)
  await expect(missing(other)).toHaveCount(0)
  await expect(other.locator('body')).toHaveAttribute('data-same')
  await other.close()
  await page.reload()
  await expect(row).toContainText('А-1')
})

test('a picture is uploaded, replaced and removed beside its name, without a form', {
  tag: '@full',
}, async ({ page, context, axe }) => {
  const photo = language === 'ru' ? 'Скан' : 'Scan'
  const picture = await defineField({ fieldType: 'picture', titleEn: 'Scan', title: 'Скан' })
  const { login } = await person(['credentials'])
  await asPerson(context, login, language)
  await fieldKnown(context, picture)
  await page.goto(path)
  await takenOver(page)
  const card = page.locator(`main [id="${picture}"]`)
  const { choose, open, remove, replace, wrongType } = t.ui.picture
  const named = (verb: string) => card.getByRole('button', { name: `${verb}: ${photo}` })
  const give = (name: string, mimeType: string, buffer: Buffer) =>
    card.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
  await expect(named(choose)).toBeVisible()
  await give('scan.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await expect(card.getByRole('alert')).toHaveText(wrongType)
  await axe(page)
  await give('scan.png', 'image/png', Buffer.from('text'))
  await expect(card.getByRole('alert')).not.toHaveText(wrongType)
  await give('scan.png', 'image/png', await halves().png().toBuffer())
  const link = card.getByRole('link', { name: open.replace('{title}', photo) })
  await expect(link.locator('img')).toHaveJSProperty('naturalWidth', 320)
  await expect(card.getByRole('alert')).toHaveCount(0)
  await expect(named(replace)).toBeVisible()
  await named(remove).click()
  await page.getByRole('alertdialog').getByRole('button', { name: remove, exact: true }).click()
  await expect(named(choose)).toBeVisible()
  await expect(link).toHaveCount(0)
})

test('a refused value stays in its field, and a save that came too late asks', {
  tag: '@full',
}, async ({ page, context }) => {
  const code = await defineField({ pattern: '^\\d+$', title: 'Номер знака', titleEn: 'Number of the badge' })
  const title = language === 'ru' ? 'Номер знака' : 'Number of the badge'
  const { login } = await person(['credentials'])
  await asPerson(context, login, language)
  await fieldKnown(context, code)
  await page.goto(path)
  // browsers fill names in by their purpose
  const names = page.locator('main section').filter({ has: page.locator('[id="birthDate"]') })
  await names.getByRole('button', { name: t.ui.edit }).click()
  for (const purpose of ['name', 'bday'])
    await expect(page.locator(`main input[autocomplete="${purpose}"]`)).toHaveCount(1)
  await page.getByRole('button', { name: t.ui.cancel, exact: true }).click()
  const row = page.locator(`main [id="${code}"]`)
  const group = page.locator('main section').filter({ has: page.locator(`[id="${code}"]`) })
  await group.getByRole('button', { name: t.ui.edit }).click()
  const field = page.getByLabel(title, { exact: true })
  const save = page.getByRole('button', { name: t.ui.save, exact: true })
  await field.fill('12a')
  await save.click()
  await expect(field).toHaveAccessibleDescription(t.errors.errorPattern)
  await expect(field).toHaveValue('12a')

  // the same person saved it and a name in another tab meanwhile
  const headers = { origin: process.env.PUBLIC_URL ?? '' }
  const address = `${process.env.PUBLIC_URL}/api/v1/platform/user/profile`
  const answer = await context.request.patch(address, {
    data: { mainInfo: { middleName: 'Иной' }, additionalInfo: { [code]: '7' } },
    headers,
  })
  expect(answer.status()).toBe(200)
  await field.fill('12')
  await save.click()
  const panel = page.getByRole('group', { name: t.ui.conflict.label })
  await expect(panel).toBeFocused()
  await panel.getByRole('radio').last().check()
  await save.click()
  await expect(row).toContainText('12')
  // what only the other tab changed is still there
  const { mainInfo, additionalInfo } = await (await context.request.get(`${address}/details`)).json()
  expect([mainInfo.middleName, additionalInfo[code]]).toEqual(['Иной', '12'])

  // a save of a contact right after it is no conflict with oneself, and keeps what another tab did to the others
  const { contacts } = t.account
  const row0 = page.locator('main #mobile li').first()
  const dialog = page.getByRole('dialog').filter({ has: page.getByLabel(contacts.messengerNames.telegram) })
  const details = async () => {
    await row0.getByRole('button').click()
    await page.getByRole('menuitem', { name: contacts.details }).click()
  }
  const mobiles = async () => (await (await context.request.get(`${address}/details`)).json()).contactsInfo.mobiles
  await details()
  await dialog.getByLabel(contacts.messengerNames.telegram).click()
  await dialog.getByRole('button', { name: contacts.save, exact: true }).click()
  await expect(dialog).toBeHidden()
  expect((await mobiles())[0].messengers).toEqual(['telegram'])

  await details()
  const [main] = await mobiles()
  const { updatedInfo } = await (await context.request.get(`${address}/details`)).json()
  const { value, main: isMain } = main
  const mobile = { value, main: isMain, messengers: ['telegram', 'viber'], agreement: 'refused' }
  const more = { value: '+79990001122', main: false, messengers: [], agreement: 'notReceived' }
  const meanwhile = { contacts: { mobiles: [mobile, more] }, updatedAt: updatedInfo.updatedAt }
  expect((await context.request.patch(address, { data: meanwhile, headers })).status()).toBe(200)
  await dialog.getByLabel(contacts.messengerNames.max).click()
  await dialog.getByRole('button', { name: contacts.save, exact: true }).click()
  const conflict = dialog.getByRole('group', { name: t.ui.conflict.label })
  await expect(conflict).toBeFocused()
  // what the other tab said of this contact is told and taken; what it added stays
  await expect(conflict).toContainText(contacts.choices.refused)
  expect((await mobiles())[0].messengers).toEqual(['telegram', 'viber'])
  await dialog.getByRole('button', { name: contacts.save, exact: true }).click()
  await expect(dialog).toBeHidden()
  expect((await mobiles())[0].agreement).toBe('refused')
  expect((await mobiles()).map((each: typeof main) => [each.value, each.messengers])).toEqual([
    [value, ['telegram', 'viber', 'max']],
    [more.value, []],
  ])
})
