import { inArray, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { banners, documentLocales, documents, domainAgreements, domains, locales } from '@/db/schema/platform'
import { invalidate } from '@/lib/kernel/cache'
import { askingDomain, requiredAgreement, signedInAt } from '../factories/agreements'
import { createUser } from '../factories/users'
import { expect, test } from './fixtures'
import { languages } from './sign-in-page'
import { asPerson } from './signed-in'
import { en, ru } from './words'

const words = { ru, en }
const path = '/platform/setting/libraries'

test.beforeEach(async ({ database: _ }) => {
  await db().delete(documents).where(like(documents.code, 'e2e-%'))
  await db().delete(banners).where(like(banners.code, 'e2e-%'))
  await db()
    .delete(locales)
    .where(inArray(locales.code, ['kk']))
  expect(await db().$count(documentLocales)).toBeGreaterThan(0)
})

for (const language of languages) {
  const { documents: d, banners: b, locales: l, ui, errors, snackbar } = words[language]

  test(`a document is refused without texts, then created, previewed and read by its address, ${language}`, async ({
    page,
    context,
  }) => {
    await asPerson(context, 'admin', language)
    await page.goto(`${path}/documents`)
    await page.getByRole('button', { name: d.create }).click()
    const dialog = page.getByRole('dialog', { name: d.createTitle })
    await dialog.getByRole('button', { name: ui.create }).click()
    await expect(dialog.getByRole('tab', { name: /Русский.+3/ })).toBeVisible()
    await expect(dialog.getByText(errors.errorEmpty).first()).toBeVisible()
    await dialog.getByLabel(d.name, { exact: true }).fill('E2E Правила')
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
    await dialog.getByLabel(d.code, { exact: true }).fill('e2e-rules')
    await dialog.getByRole('button', { name: ui.create }).click()
    await expect(page.getByText(snackbar.documentsCreate)).toBeVisible()
    await page.goto('/platform/law/e2e-rules')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('E2E Правила')
  })

  test(`a banner with a dangerous link is refused, then created, ${language}`, async ({ page, context }) => {
    await asPerson(context, 'admin', language)
    await page.goto(`${path}/banners`)
    await page.getByRole('button', { name: b.create }).click()
    const dialog = page.getByRole('dialog', { name: b.createTitle })
    await dialog.getByLabel(b.title, { exact: true }).fill('E2E Работы')
    await dialog.getByLabel(b.link, { exact: true }).fill('javascript:alert(1)')
    await dialog.getByRole('button', { name: ui.create }).click()
    await expect(dialog.getByLabel(b.link, { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await dialog.getByLabel(b.link, { exact: true }).fill('/platform/help')
    await dialog.getByRole('button', { name: ui.create }).click()
    await expect(page.getByText(snackbar.bannersCreate)).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'E2E Работы' })).toContainText(b.on)
  })

  test(`a language with a taken code is refused, then added, ${language}`, async ({ page, context }) => {
    await asPerson(context, 'admin', language)
    await page.goto(`${path}/locales`)
    await page.getByRole('button', { name: l.create }).click()
    const dialog = page.getByRole('dialog', { name: l.createTitle })
    await dialog.getByLabel(l.name, { exact: true }).fill('Қазақша')
    await dialog.getByLabel(l.code, { exact: true }).fill('ru')
    await dialog.getByRole('button', { name: ui.create }).click()
    await expect(dialog.getByText(errors.errorUnique).first()).toBeVisible()
    await dialog.getByLabel(l.code, { exact: true }).fill('kk')
    await dialog.getByRole('button', { name: ui.create }).click()
    await expect(page.getByText(snackbar.localeCreate)).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'Қазақша' })).toContainText(l.on)
  })

  test(`the card of an agreement says who agreed, and reminds those who are left once a version, ${language}`, async ({
    page,
    context,
    outbox,
  }) => {
    const { 'document-campaigns': c } = words[language]
    const agreement = await requiredAgreement([])
    await asPerson(context, 'admin', language)
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
    await expect(page.getByText(words[language].runs.states.done, { exact: true })).toBeVisible()
    expect((await outbox(reader.email)).subject).toContain(agreement.name)
    await page.reload()
    await expect(start).toHaveCount(0)
    await expect(page.getByRole('button', { name: c.repeat })).toBeVisible()
    await page.getByRole('link', { name: c.tabs.acceptances }).click()
    const row = page.getByRole('row').filter({ hasText: reader.fio })
    await expect(row).toContainText(c.states.outstanding)
    // a person who only reads starts nothing; an open page would notice the other person
    await page.goto('about:blank')
    await asPerson(context, 'auditor', language)
    await page.goto(card)
    await expect(page.getByRole('progressbar').first()).toBeVisible()
    await expect(page.getByRole('button', { name: c.repeat })).toHaveCount(0)
    const answer = await context.request.post(`/api/v1/platform/setting/documents/${agreement.id}/reminders`, {
      data: { version: 1, repeat: true },
      headers: { origin: process.env.PUBLIC_URL ?? '' },
    })
    expect(answer.status()).toBe(403)
    await db().delete(documents).where(like(documents.code, agreement.code))
    await db()
      .delete(domains)
      .where(inArray(domains.id, [domain]))
    await db().transaction((tx) => invalidate(tx, 'domains'))
  })
}
