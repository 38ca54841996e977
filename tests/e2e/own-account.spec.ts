import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { db } from '@/db/client'
import { sessions } from '@/db/schema'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { person } from './people'
import { password } from './sign-in-page'
import { asPerson, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words: t } = spokenIn(import.meta.filename)
const { avatar, contacts, access, deletion, code } = t.account
const path = '/platform/profile/personal'
const next = 'Violet-lantern-42'

const picture = async () => ({
  name: 'me.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 480, height: 320, channels: 3, background: '#2b6b5a' } })
    .png()
    .toBuffer(),
})

test('people keep contacts and password themselves', async ({ page, context, outbox }) => {
  const user = await person(['credentials'])
  const email = `own-${user.id.slice(0, 8)}@polaris.example`
  await asPerson(context, user.login, language)
  await page.goto(path)
  await takenOver(page)

  // another e-mail, which becomes the main one by its code and, as the session is no longer young, by the password
  const createdAt = new Date(Date.now() - 16 * 60_000)
  await db().update(sessions).set({ createdAt }).where(eq(sessions.userId, user.id))
  await page.getByRole('button', { name: contacts.addEmail }).click()
  const adding = page.getByRole('dialog', { name: contacts.addEmail })
  // Enter sends the code; what is wrong is said of the field that is there, and goes as it is mended
  const value = adding.getByLabel(contacts.value.email)
  await value.press('Enter')
  await expect(value).toHaveAttribute('aria-invalid', 'true')
  const wrong = adding.getByRole('group', { name: t.ui.form.failed })
  await expect(wrong).toContainText(contacts.value.email)
  await expect(wrong).not.toContainText(contacts.code)
  await adding.getByLabel(contacts.newMain).click()
  await value.fill(email)
  await expect(wrong).toHaveCount(0)
  await value.press('Enter')
  await expect(adding.getByLabel(contacts.code)).toBeFocused()
  await adding.getByLabel(contacts.code).fill((await outbox(email)).code)
  await expect(adding).toContainText(t.errors.errorPasswordNeeded)
  await adding.getByLabel(contacts.password, { exact: true }).fill(password)
  await adding.getByRole('button', { name: contacts.confirm, exact: true }).click()
  await expect(adding).toBeHidden()
  const row = page.locator('main #email li').first()
  await expect(row).toContainText(email)
  await expect(row).toContainText(contacts.main)
  await expect(row).toContainText(contacts.verified)

  await page.getByRole('button', { name: access.change }).click()
  const changing = page.getByRole('dialog', { name: access.change })
  await changing.getByRole('button', { name: access.save, exact: true }).click()
  for (const label of [access.actual, access.password, access.rePassword])
    await expect(changing.getByLabel(label, { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await changing.getByLabel(access.actual, { exact: true }).fill(password)
  await changing.getByLabel(access.password, { exact: true }).fill(next)
  await changing.getByLabel(access.rePassword, { exact: true }).fill(next)
  await changing.getByRole('button', { name: access.save, exact: true }).click()
  await expect(changing).toBeHidden()

  await page.getByRole('link', { name: t.account.history, exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: t.history.users.password }).first()).toBeVisible()
  await expect(page.locator('main')).not.toContainText(next)
})

test('a picture is cut by the keyboard, and shown in the header at once', {
  tag: '@full',
}, async ({ page, context }) => {
  const user = await person(['credentials'])
  await asPerson(context, user.login, language)
  await page.goto(path)
  await takenOver(page)
  await page.locator('#main input[type=file]').setInputFiles(await picture())
  const cut = page.getByRole('dialog', { name: avatar.cropTitle })
  await cut.getByLabel(avatar.zoom).fill('2')
  await cut.getByLabel(avatar.area).press('ArrowRight')
  await cut.getByRole('button', { name: avatar.save, exact: true }).click()
  await expect(cut).toBeHidden()
  await expect(page.locator('header img[src*="/user/avatar/"]').first()).toBeVisible()
})

test('what doesn’t prove its person changes and deletes nothing', {
  tag: '@full',
}, async ({ page, context, outbox }) => {
  const [user, other] = [await person(['credentials']), await person(['credentials'])]
  await asPerson(context, user.login, language)
  await page.goto(path)
  await takenOver(page)

  await page
    .locator('#main input[type=file]')
    .setInputFiles({ ...(await picture()), mimeType: 'image/gif', name: 'x.gif' })
  await expect(page.getByRole('alert').filter({ hasText: avatar.wrongType })).toBeVisible()

  // somebody else's e-mail is told only after its right code
  await page.getByRole('button', { name: contacts.addEmail }).click()
  const adding = page.getByRole('dialog', { name: contacts.addEmail })
  await adding.getByLabel(contacts.value.email).fill(other.email)
  await adding.getByLabel(contacts.newMain).click()
  await adding.getByRole('button', { name: code.send }).click()
  const { code: right } = await outbox(other.email)
  await adding.getByLabel(contacts.code).fill(right.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10)))
  await expect(adding).toContainText(t.errors.errorCode)
  await expect(adding.getByLabel(contacts.code)).toBeFocused()
  await adding.getByLabel(contacts.code).fill(right)
  await expect(adding).toContainText(t.errors.errorEmailRegistered)
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: t.ui.unsaved.leave }).click()
  await expect(page.locator('main #email li')).toHaveCount(1)

  await page.getByRole('button', { name: deletion.open }).click()
  const deleting = page.getByRole('dialog', { name: deletion.dialogTitle })
  await deleting.getByLabel(deletion.login.replace('{login}', user.login)).fill('somebody')
  await deleting.getByLabel(deletion.password, { exact: true }).fill(password)
  await deleting.getByRole('button', { name: deletion.confirm }).click()
  await expect(deleting).toContainText(t.errors.errorConfirmation)
  await deleting.getByLabel(deletion.login.replace('{login}', user.login)).fill(user.login)
  await deleting.getByLabel(deletion.password, { exact: true }).fill('Wrong-horse-7')
  await deleting.getByRole('button', { name: deletion.confirm }).click()
  await expect(deleting).toContainText(t.errors.errorActual)
  await deleting.getByLabel(deletion.password, { exact: true }).fill(password)
  await deleting.getByRole('button', { name: deletion.confirm }).click()
  await expect(page).toHaveURL('/platform/login?ended=deleted')
  await expect(page.getByText(t.entry.ended.deleted)).toBeVisible()
})
