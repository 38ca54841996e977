import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { domainTexts, locales, localeTexts } from '@/db/schema/platform'
import { invalidate } from '@/lib/kernel/cache'
import { createUser } from '../factories/users'
import { expect, test } from './fixtures'
import { languages } from './sign-in-page'
import { asPerson, takenOver } from './signed-in'
import { en, ru } from './words'

const words = { ru, en }
const shipped = { ru: 'Задайте новый пароль', en: 'Set a new password' }

async function forgetOwn() {
  await db().delete(localeTexts)
  await db().delete(domainTexts)
  await db().transaction(async (tx) => {
    for (const name of ['locale-texts', 'domain-texts']) await invalidate(tx, name)
  })
}
test.beforeEach(forgetOwn)
test.afterAll(forgetOwn)

const localeId = async (code: string) => {
  const [locale] = await db().select().from(locales).where(eq(locales.code, code))
  return locale?.id ?? ''
}

for (const language of languages) {
  const { 'message-texts': t, ui, recovery } = words[language]

  test(`a mail is rewritten beside its preview, is sent so at once, and is brought back, ${language}`, async ({
    page,
    context,
    browser,
    baseURL,
    outbox,
  }) => {
    await asPerson(context, 'admin', language)
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
    await expect(page.getByText(words[language].snackbar.messageTexts ?? '')).toBeVisible()
    await expect(page.getByText(t.ownOfLanguage, { exact: true })).toHaveCount(2)

    const reader = await browser.newContext({ locale: language })
    await asPerson(reader, 'admin', language)
    await reader.clearCookies({ name: /session/i })
    const { email } = await createUser({ locale: language })
    const shown = await reader.newPage()
    await shown.goto(`${baseURL}/platform/forgot-password`)
    await shown.getByLabel(recovery.forgot.email, { exact: true }).fill(email)
    await shown.getByRole('button', { name: recovery.forgot.send }).click()
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

  test(`an SMS of one domain shows its length, and one without its code is refused, ${language}`, async ({
    page,
    context,
  }) => {
    await asPerson(context, 'admin', language)
    await page.goto(`/platform/setting/libraries/messages/sms-signInCode?locale=${await localeId(language)}`)
    // until then a part that is still streamed stands there twice
    await takenOver(page)
    await page.getByLabel(t.domain, { exact: true }).click()
    await page.getByRole('option').nth(1).click()
    await expect(page).toHaveURL(/domain=/)
    const text = page.getByLabel(t.parts.text, { exact: true })
    const save = page.getByRole('button', { name: ui.saveBar.save })
    await text.fill('Zebra')
    await save.click()
    await expect(text).toHaveAttribute('aria-invalid', 'true')
    await text.fill(`{code} ${'зебра '.repeat(40)}`)
    await expect(page.getByText(/сократите текст|shorten the text/)).toBeVisible()
    await save.click()
    await expect(page.getByText(/Сократите текст|Shorten the text/).first()).toBeVisible()
    await text.fill('Zebra {code}')
    await expect(page.getByText(/Zebra 4071/)).toBeVisible()
    await save.click()
    await expect(page.getByText(words[language].snackbar.messageTexts ?? '')).toBeVisible()
    await expect(page.getByText(t.ownOfDomain, { exact: true })).toBeVisible()
    // another domain, and all of them, still have the common text
    await page.getByLabel(t.domain, { exact: true }).click()
    await page.getByRole('option', { name: t.allDomains, exact: true }).click()
    await expect(page).not.toHaveURL(/domain=/)
    await expect(text).not.toHaveValue(/Zebra/)
  })

  test(`two who write at once choose part by part, ${language}`, async ({ page, context, browser, baseURL }) => {
    await asPerson(context, 'admin', language)
    const address = `/platform/setting/libraries/messages/mail-news?locale=${await localeId(language)}`
    await page.goto(address)
    await takenOver(page)
    const button = page.getByLabel(t.parts.button, { exact: true })
    // before the other one saves: a page in which nothing is typed may show what they saved, and there is no conflict
    await button.fill('Mine')
    const other = await browser.newContext()
    await asPerson(other, 'admin', language)
    const second = await other.newPage()
    await second.goto(`${baseURL}${address}`)
    await takenOver(second)
    await second.getByLabel(t.parts.button, { exact: true }).fill('Theirs')
    await second.getByRole('button', { name: ui.saveBar.save }).click()
    await expect(second.getByText(t.ownOfLanguage, { exact: true })).toBeVisible()
    await other.close()
    await page.getByRole('button', { name: ui.saveBar.save }).click()
    await expect(page.getByText('Theirs').first()).toBeVisible()
    await expect(button).toHaveValue('Mine')
  })

  test(`whoever only looks sees texts and the preview, and changes nothing, ${language}`, async ({ page, context }) => {
    await asPerson(context, 'auditor', language)
    await page.goto('/platform/setting/libraries/messages/mail-invitation')
    await expect(page.getByRole('region', { name: t.preview }).locator('iframe')).toBeVisible()
    await expect(page.getByRole('textbox')).toHaveCount(0)
    const answer = await page.request.put('/api/v1/platform/setting/locales/messages/mail-invitation', {
      data: { localeId: await localeId(language), domainId: null, texts: [{ part: 'heading', text: 'x' }] },
      headers: { origin: new URL(page.url()).origin },
    })
    expect(answer.status()).toBe(403)
  })
}
