import { db } from '@/db/client'
import { localeTexts } from '@/db/schema/platform'
import { invalidate } from '@/lib/base/cache/cache'
import { localeId } from '../factories/platform'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { speak } from './people'
import { asOwn, takenOver } from './signed-in'
import { spokenIn } from './spoken'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { 'message-texts': t, ui, recovery, snackbar } = words
const shipped = { ru: 'Задайте новый пароль', en: 'Set a new password' }

test.afterEach(async () => {
  await db().delete(localeTexts)
  await db().transaction((tx) => invalidate(tx, 'locale-texts'))
})

test('a mail is rewritten beside its preview, is sent so at once, and is brought back', {
  tag: '@full',
}, async ({ page, context, browser, baseURL, outbox }) => {
  await asOwn(context, 'administrator', language)
  await page.goto('/platform/setting/libraries/messages')
  await page.getByRole('textbox', { name: t.search }).fill(t.names['mail-recoveryLink'])
  await page.getByRole('link', { name: t.names['mail-recoveryLink'] }).click()
  await expect(page.getByRole('heading', { level: 1, name: t.names['mail-recoveryLink'] })).toBeVisible()
  await page.goto(`/platform/setting/libraries/messages/mail-recoveryLink?locale=${await localeId(language)}`)
  // until then a part that is still streamed stands there twice
  await takenOver(page)
  const preview = page.getByRole('region', { name: t.preview })
  const mail = preview.locator('iframe').contentFrame()
  await expect(mail.getByRole('heading', { name: shipped[language] })).toBeVisible()

  const heading = page.getByLabel(t.parts.heading, { exact: true })
  const subject = page.getByLabel(t.parts.subject, { exact: true })
  // refused while it is typed, and by the save, at its field
  await heading.fill('<b>Hello</b>')
  await expect(preview.getByText(new RegExp(`^${t.parts.heading}: `))).toBeVisible()
  await page.getByRole('button', { name: ui.saveBar.save }).click()
  await expect(heading).toHaveAttribute('aria-invalid', 'true')

  await heading.fill('Zebra & co')
  await subject.fill('Zebra writes')
  await expect(mail.getByRole('heading', { name: 'Zebra & co' })).toBeVisible()
  await expect(preview.getByText('Zebra writes')).toBeVisible()
  await page.getByRole('button', { name: ui.saveBar.save }).click()
  await expect(page.getByText(snackbar.messageTexts ?? '')).toBeVisible()
  await expect(page.getByText(t.ownOfLanguage, { exact: true })).toHaveCount(2)

  const reader = await browser.newContext({ locale: language })
  await speak(reader, language, baseURL)
  const { email } = await createUser({ locale: language })
  const readerPage = await reader.newPage()
  await readerPage.goto(`${baseURL}/platform/forgot-password`)
  await readerPage.getByLabel(recovery.forgot.email, { exact: true }).fill(email)
  await readerPage.getByRole('button', { name: recovery.forgot.send }).click()
  const sent = await outbox(email)
  expect(sent.text).toContain('Zebra & co')
  await reader.close()

  await page
    .getByRole('button', { name: new RegExp(t.reset) })
    .first()
    .click()
  await page
    .getByRole('button', { name: new RegExp(t.reset) })
    .first()
    .click()
  await page.getByRole('button', { name: ui.saveBar.save }).click()
  await expect(page.getByText(t.ownOfLanguage, { exact: true })).toHaveCount(0)
  await expect(mail.getByRole('heading', { name: shipped[language] })).toBeVisible()
})
