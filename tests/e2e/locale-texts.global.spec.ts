import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { domainLocales, domains, locales } from '@/db/schema/platform'
import { invalidate } from '@/lib/base/cache/cache'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'
import { ru } from './words'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { 'locale-texts': t, locales: l, ui, errors, snackbar } = words
const saved = { ru: /3.текста сохранены/, en: /3.texts saved/ }
const file = (texts: object) => ({
  name: 'texts-kk.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(texts)),
})

const dropCaches = () =>
  db().transaction(async (tx) => {
    for (const name of ['locales', 'domains', 'project-info', 'locale-texts']) await invalidate(tx, name)
  })

/** A new language that the base domain offers, without a single text. */
async function newLanguage(): Promise<string> {
  const [base] = await db().select().from(domains).where(eq(domains.base, true))
  const [locale] = await db().insert(locales).values({ name: 'Қазақша', code: 'kk' }).returning()
  const [russianTexts] = await db()
    .select()
    .from(domainLocales)
    .where(eq(domainLocales.domainId, base?.id ?? ''))
  if (russianTexts && locale)
    await db()
      .insert(domainLocales)
      .values({ ...russianTexts, localeId: locale.id, order: 9 })
  await dropCaches()
  return locale?.id ?? ''
}
async function forget() {
  await db().delete(locales).where(eq(locales.code, 'kk'))
  await dropCaches()
}
test.beforeEach(async ({ database: _ }) => forget())
test.afterEach(forget)

test('a hostile file is refused by its keys, a good one is seen on the sign-in page', async ({
  page,
  context,
  browser,
  baseURL,
  outbox,
}) => {
  const id = await newLanguage()
  await asOwn(context, 'administrator', language)
  await page.goto(`/platform/setting/libraries/locales/${id}`)
  await page.getByRole('button', { name: t.import }).click()
  const dialog = page.getByRole('dialog')
  const choose = dialog.locator('input[type=file]')
  await choose.setInputFiles(file({ 'entry.id.title': '<script>alert(1)</script>', __proto__x: 'x' }))
  const alert = dialog.getByRole('alert')
  await expect(alert).toContainText('entry.id.title')
  await expect(alert).toContainText('__proto__x')
  const good = {
    entry: { id: { title: 'Кіру' } },
    'errors.errorEmpty': 'Толтырыңыз',
    'mail.recoveryLink.heading': 'Құпиясөз',
  }
  await choose.setInputFiles(file(good))
  await expect(page.getByText(saved[language])).toBeVisible()
  await expect(dialog).toBeHidden()

  const reader = await browser.newContext()
  const strangerPage = await reader.newPage()
  await strangerPage.goto(`${baseURL}/platform/login`)
  // the switcher offers it, the page, an error and a mail speak it, and fall back to Russian text by text
  await strangerPage.locator('header details:last-of-type > summary').click()
  await strangerPage.getByRole('button', { name: 'Қазақша' }).click()
  await expect(strangerPage.getByRole('heading', { level: 1 })).toHaveText('Кіру')
  await expect(strangerPage.locator('html')).toHaveAttribute('lang', 'kk')
  await expect(strangerPage.getByText(ru.entry.id.lead)).toBeVisible()
  const { email } = await createUser({ locale: 'kk' })
  await strangerPage.goto(`${baseURL}/platform/forgot-password`)
  await strangerPage.getByRole('button', { name: ru.recovery.forgot.send }).click()
  await expect(strangerPage.getByText('Толтырыңыз').first()).toBeVisible()
  await strangerPage.getByLabel(ru.recovery.forgot.email, { exact: true }).fill(email)
  await strangerPage.getByRole('button', { name: ru.recovery.forgot.send }).click()
  const mail = await outbox(email)
  expect(mail.text).toContain('Құпиясөз')
  expect(mail.text).toMatch(/Задать.новый.пароль/)
  await reader.close()

  await page.getByRole('textbox', { name: t.search }).fill('entry.id.title')
  const row = page.getByRole('row').filter({ hasText: 'entry.id.title' })
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.edit }).click()
  const text = page.getByRole('dialog').getByLabel(t.text, { exact: true })
  await text.fill('Кіру {secret}')
  await page.getByRole('dialog').getByRole('button', { name: ui.save, exact: true }).click()
  await expect(text).toHaveAttribute('aria-invalid', 'true')
})

test('a language with a taken code is refused, then added', { tag: '@full' }, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto('/platform/setting/libraries/locales')
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
