import { inArray, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { banners, documentLocales, documents, locales } from '@/db/schema/platform'
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
}
