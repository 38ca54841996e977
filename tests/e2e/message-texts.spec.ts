import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { domains } from '@/db/schema/platform'
import { invalidate } from '@/lib/base/cache/cache'
import { createDomainWith, localeId } from '../factories/platform'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { 'message-texts': t, ui, snackbar } = words

/** Domains of the tests: their texts are nobody else's. */
const made: string[] = []
async function ownDomain() {
  const host = `words-${randomUUID().slice(0, 8)}.localhost`
  const id = await createDomainWith({ hosts: [host] })
  made.push(id)
  await invalidate(db(), 'domains')
  return { id, host }
}
test.afterEach(async () => {
  for (const id of made.splice(0)) await db().delete(domains).where(eq(domains.id, id))
  await db().transaction(async (tx) => {
    for (const name of ['domains', 'domain-texts']) await invalidate(tx, name)
  })
})

test('an SMS of one domain shows its length, and one without its code is refused', async ({ page, context }) => {
  const { host } = await ownDomain()
  await asOwn(context, 'administrator', language)
  await page.goto(`/platform/setting/libraries/messages/sms-signInCode?locale=${await localeId(language)}`)
  // until then a part that is still streamed stands there twice
  await takenOver(page)
  await page.getByLabel(t.domain, { exact: true }).click()
  await page.getByRole('option', { name: host }).click()
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
  await expect(page.getByText(snackbar.messageTexts ?? '')).toBeVisible()
  await expect(page.getByText(t.ownOfDomain, { exact: true })).toBeVisible()
  // another domain, and all of them, still have the common text
  await page.getByLabel(t.domain, { exact: true }).click()
  await page.getByRole('option', { name: t.allDomains, exact: true }).click()
  await expect(page).not.toHaveURL(/domain=/)
  await expect(text).not.toHaveValue(/Zebra/)
})

test('two who write at once choose part by part', { tag: '@full' }, async ({ page, context, browser, baseURL }) => {
  const { id } = await ownDomain()
  await asOwn(context, 'administrator', language)
  const address = `/platform/setting/libraries/messages/mail-news?locale=${await localeId(language)}&domain=${id}`
  await page.goto(address)
  await takenOver(page)
  const button = page.getByLabel(t.parts.button, { exact: true })
  // before the other one saves: a page in which nothing is typed may show what they saved, and there is no conflict
  await button.fill('Mine')
  const other = await browser.newContext()
  await asOwn(other, 'administrator', language)
  const second = await other.newPage()
  await second.goto(`${baseURL}${address}`)
  await takenOver(second)
  await second.getByLabel(t.parts.button, { exact: true }).fill('Theirs')
  await second.getByRole('button', { name: ui.saveBar.save }).click()
  await expect(second.getByText(t.ownOfDomain, { exact: true })).toBeVisible()
  await other.close()
  await page.getByRole('button', { name: ui.saveBar.save }).click()
  await expect(page.getByText('Theirs').first()).toBeVisible()
  await expect(button).toHaveValue('Mine')
})

test('whoever only looks sees texts and the preview, and changes nothing', {
  tag: '@full',
}, async ({ page, context }) => {
  await asOwn(context, 'auditor', language)
  await page.goto('/platform/setting/libraries/messages/mail-invitation')
  await expect(page.getByRole('region', { name: t.preview }).locator('iframe')).toBeVisible()
  await expect(page.getByRole('textbox')).toHaveCount(0)
  const answer = await page.request.put('/api/v1/platform/setting/locales/messages/mail-invitation', {
    data: { localeId: await localeId(language), domainId: null, texts: [{ part: 'heading', text: 'x' }] },
    headers: { origin: new URL(page.url()).origin },
  })
  expect(answer.status()).toBe(403)
})
