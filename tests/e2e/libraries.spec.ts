import { eq, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { banners, documents, domainAgreements, domains } from '@/db/schema/platform'
import { invalidate } from '@/lib/base/cache/cache'
import { askingDomain, requiredAgreement, signedInAt } from '../factories/agreements'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn, pressCreate } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { documents: d, banners: b, 'document-campaigns': c, runs, ui, errors, snackbar } = words
const path = '/platform/setting/libraries'
const prefix = 'E2E libraries '

async function forget() {
  await db().delete(documents).where(like(documents.code, 'e2e-libraries-%'))
  await db().delete(banners).where(like(banners.code, 'e2e-libraries-%'))
}
test.beforeEach(async ({ database: _ }) => forget())
test.afterEach(forget)

test('a document is refused without texts, then created, previewed and read by its address', async ({
  page,
  context,
}) => {
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}/documents`)
  await page.getByRole('button', { name: d.create }).click()
  const dialog = page.getByRole('dialog', { name: d.createTitle })
  await dialog.getByRole('button', { name: ui.create }).click()
  await expect(dialog.getByRole('tab', { name: /Русский.+3/ })).toBeVisible()
  await expect(dialog.getByText(errors.errorEmpty).first()).toBeVisible()
  await dialog.getByLabel(d.name, { exact: true }).fill(`${prefix}правила`)
  await dialog.getByLabel(d.linkName, { exact: true }).fill('правила')
  await dialog.getByLabel(d.content, { exact: true }).fill('# Раздел\n\n<img src=x onerror=alert(1)>Текст')
  await dialog.getByRole('button', { name: d.preview }).click()
  const preview = page.getByRole('dialog', { name: d.previewTitle })
  await expect(preview.getByRole('heading', { name: 'Раздел' })).toBeVisible()
  await expect(preview.locator('img')).toHaveCount(0)
  await page.keyboard.press('Escape')
  // as HTML the same text is read as HTML
  await dialog.getByLabel(d.format, { exact: true }).click()
  await page.getByRole('option', { name: d.formats.html, exact: true }).click()
  await dialog.getByRole('button', { name: d.preview }).click()
  await expect(preview.getByText('# Раздел')).toBeVisible()
  await expect(preview.locator('img')).toHaveCount(0)
  await expect(preview.getByRole('heading', { name: 'Раздел' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await dialog.getByLabel(d.format, { exact: true }).click()
  await page.getByRole('option', { name: d.formats.md, exact: true }).click()
  // what would cost readers minutes is refused
  const content = dialog.getByLabel(d.content, { exact: true })
  await content.fill(`${'> '.repeat(200)}Текст`)
  await dialog.getByRole('button', { name: ui.create }).click()
  await expect(content).toHaveAttribute('aria-invalid', 'true')
  await content.fill('# Раздел\n\n<img src=x onerror=alert(1)>Текст')
  await dialog.getByLabel(d.code, { exact: true }).fill('e2e-libraries-rules')
  await dialog.getByRole('button', { name: ui.create }).click()
  await expect(page.getByText(snackbar.documentsCreate)).toBeVisible()
  await page.goto('/platform/law/e2e-libraries-rules')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${prefix}правила`)
})

test('a banner with a dangerous link is refused, then created', { tag: '@full' }, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}/banners?filter[search]=${prefix}`)
  await pressCreate(page, b.create)
  const dialog = page.getByRole('dialog', { name: b.createTitle })
  await dialog.getByLabel(b.title, { exact: true }).fill(`${prefix}работы`)
  await dialog.getByLabel(b.link, { exact: true }).fill('javascript:alert(1)')
  await dialog.getByRole('button', { name: ui.create }).click()
  await expect(dialog.getByLabel(b.link, { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel(b.link, { exact: true }).fill('/platform/help')
  await dialog.getByRole('button', { name: ui.create }).click()
  await expect(page.getByText(snackbar.bannersCreate)).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: `${prefix}работы` })).toContainText(b.on)
})

test('the card of an agreement says who agreed, and reminds those who are left once a version', {
  tag: '@full',
}, async ({ page, context, outbox }) => {
  const agreement = await requiredAgreement([])
  await asOwn(context, 'administrator', language)
  const card = `${path}/documents/${agreement.id}`
  await page.goto(card)
  await expect(page.locator('#main').getByText(c.nobodyTitle)).toBeVisible()
  // nobody but this person signed in at the domain that asks
  const reader = await createUser({ roles: ['user'] })
  const domain = await askingDomain()
  await signedInAt(reader.id, domain)
  await db().insert(domainAgreements).values({ domainId: domain, documentId: agreement.id, loginRequired: true })
  await db().transaction((tx) => invalidate(tx, 'domains'))
  await page.reload()
  const start = page.getByRole('button', { name: /^(Напомнить|Remind) 1/ })
  await start.click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^(Напомнить|Remind) 1/ })
    .click()
  await expect(page.getByText(snackbar.documentsRemind)).toBeVisible()
  await expect(page.getByText(runs.states.done, { exact: true })).toBeVisible()
  expect((await outbox(reader.email)).subject).toContain(agreement.name)
  await page.reload()
  await expect(start).toHaveCount(0)
  await expect(page.getByRole('button', { name: c.repeat })).toBeVisible()
  await page.getByRole('link', { name: c.tabs.acceptances }).click()
  const row = page.getByRole('row').filter({ hasText: reader.fio })
  await expect(row).toContainText(c.states.outstanding)
  // a person who only reads starts nothing; an open page would notice the other person
  await page.goto('about:blank')
  await asOwn(context, 'auditor', language)
  await page.goto(card)
  await expect(page.getByRole('progressbar').first()).toBeVisible()
  await expect(page.getByRole('button', { name: c.repeat })).toHaveCount(0)
  const answer = await context.request.post(`/api/v1/platform/setting/documents/${agreement.id}/reminders`, {
    data: { version: 1, repeat: true },
    headers: { origin: process.env.PUBLIC_URL ?? '' },
  })
  expect(answer.status()).toBe(403)
  await db().delete(documents).where(eq(documents.code, agreement.code))
  await db().delete(domains).where(eq(domains.id, domain))
  await db().transaction((tx) => invalidate(tx, 'domains'))
})
