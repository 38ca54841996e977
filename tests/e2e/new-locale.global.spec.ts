import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { domains, locales, localeTexts } from '@/db/schema/platform'
import { invalidate } from '@/lib/base/cache/cache'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { asOwn, asPerson, takenOver } from './signed-in'
import { spokenIn } from './spoken'
import { ru } from './words'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { locales: l, 'locale-texts': t, domains: d, ui, errors, snackbar } = words
const saved = { ru: /4.текста сохранены/, en: /4.texts saved/ }
const name = 'Deutsch'

async function forgetLanguage() {
  await db().delete(locales).where(eq(locales.code, 'de'))
  await db().delete(localeTexts)
  await db().transaction(async (tx) => {
    for (const cache of ['locales', 'domains', 'project-info', 'locale-texts']) await invalidate(tx, cache)
  })
}
test.beforeEach(forgetLanguage)
test.afterEach(forgetLanguage)

test('a language is made of nothing by the screens, is seen everywhere, and goes again', {
  tag: '@full',
}, async ({ page, context, browser, baseURL, outbox }) => {
  test.slow()
  await asOwn(context, 'administrator', language)
  await page.goto('/platform/setting/libraries/locales')
  await page.getByRole('button', { name: l.create }).click()
  const created = page.getByRole('dialog', { name: l.createTitle })
  await created.getByLabel(l.name, { exact: true }).fill(name)
  await created.getByLabel(l.code, { exact: true }).fill('de')
  await created.getByRole('button', { name: ui.create }).click()
  await expect(page.getByText(snackbar.localeCreate)).toBeVisible()

  // no domain has it yet, so nobody is offered it
  const stranger = await browser.newContext({ locale: 'de-DE' })
  const strangerPage = await stranger.newPage()
  const switcher = strangerPage.locator('header details:last-of-type > summary')
  await strangerPage.goto(`${baseURL}/platform/login`)
  await switcher.click()
  await expect(strangerPage.locator('header button[name=locale]').first()).toBeVisible()
  await expect(strangerPage.getByRole('button', { name, exact: true })).toHaveCount(0)

  // the base domain gets it, with words of its own
  await page.goto('/platform/setting/domains')
  await page.getByRole('row').filter({ hasText: d.base }).getByRole('link').first().click()
  const add = page.getByRole('button', { name: ui.locales.add })
  await expect(add).toBeVisible()
  await takenOver(page)
  await add.click()
  await page.getByRole('menuitem', { name }).click()
  const panel = page.getByRole('tabpanel', { name })
  await panel.getByLabel(d.projectTitle, { exact: true }).fill('Portal Deutsch')
  await panel.getByLabel(d.projectName, { exact: true }).fill('Portal DE')
  await page.getByRole('button', { name: ui.saveBar.save, exact: true }).click()
  await expect(page.getByText(snackbar.domainsUpdate)).toBeVisible()

  // offered at once, chosen by the browser's own language, and Russian word by word
  await strangerPage.reload()
  await expect(switcher).toContainText(name)
  await expect(strangerPage).toHaveTitle(/Portal Deutsch/)
  await expect(strangerPage.getByRole('heading', { level: 1 })).toHaveText(ru.entry.id.title)
  await switcher.click()
  await expect(strangerPage.getByRole('button', { name, exact: true })).toHaveAttribute('aria-pressed', 'true')
  await strangerPage.keyboard.press('Escape')

  await page.goto('/platform/setting/libraries/locales')
  await page.getByRole('link', { name }).click()
  await page.getByRole('button', { name: t.import }).click()
  const dialog = page.getByRole('dialog')
  const texts = {
    entry: { id: { title: 'Anmelden' } },
    'errors.errorEmpty': 'Bitte ausfüllen',
    'common.help': 'Hilfe',
    'mail.recoveryLink.heading': 'Neues Passwort wählen',
  }
  const file = (content: object) => ({
    name: 'de.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(content)),
  })
  const choose = dialog.locator('input[type=file]')
  // a file with a key that doesn't exist stores none of its texts
  await choose.setInputFiles(file({ ...texts, 'no.such.key': 'x', 'entry.id.lead': 'Mit {nichts}' }))
  await expect(dialog.getByRole('alert')).toContainText('no.such.key')
  await expect(dialog.getByRole('alert')).toContainText('entry.id.lead')
  await choose.setInputFiles(file(texts))
  await expect(page.getByText(saved[language])).toBeVisible()

  // the page and its errors speak it, and what it lacks is Russian
  await strangerPage.reload()
  await expect(strangerPage.getByRole('heading', { level: 1 })).toHaveText('Anmelden')
  await expect(strangerPage.locator('html')).toHaveAttribute('lang', 'de')
  await expect(strangerPage.getByText(ru.entry.id.lead)).toBeVisible()
  await strangerPage.goto(`${baseURL}/platform/forgot-password`)
  const send = strangerPage.getByRole('button', { name: ru.recovery.forgot.send })
  await send.click()
  await expect(strangerPage.getByText('Bitte ausfüllen').first()).toBeVisible()
  // so does a mail, whose button nobody has translated
  const { email } = await createUser({ locale: 'de' })
  await strangerPage.getByLabel(ru.recovery.forgot.email, { exact: true }).fill(email)
  await send.click()
  const mail = await outbox(email)
  expect(mail.text).toContain('Neues Passwort wählen')
  expect(mail.text).toMatch(/Задать.новый.пароль/)
  expect(mail.subject).toContain('Portal DE')

  // a language in use can't be deleted; switched off it is offered nowhere
  await page.goto('/platform/setting/libraries/locales')
  const row = page.getByRole('row').filter({ hasText: name })
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.delete }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.delete }).click()
  await expect(page.getByText(errors.localeUsed)).toBeVisible()
  await page.reload()
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.disable }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.disable }).click()
  await expect(row).toContainText(l.off)
  await strangerPage.goto(`${baseURL}/platform/login`)
  await expect(strangerPage.locator('html')).toHaveAttribute('lang', 'ru')
  await switcher.click()
  await expect(strangerPage.getByRole('button', { name, exact: true })).toHaveCount(0)
  await stranger.close()
  expect(await db().$count(domains, eq(domains.base, true))).toBe(1)
})

test('two who write one text at once are told of each other', {
  tag: '@full',
}, async ({ page, context, browser, baseURL }) => {
  const [english] = await db().select().from(locales).where(eq(locales.code, 'en'))
  const address = `/platform/setting/libraries/locales/${english?.id}?filter[search]=common.help`
  const open = async (of: typeof page) => {
    await of.goto(`${baseURL}${address}`)
    await takenOver(of)
    await of.getByRole('row').filter({ hasText: 'common.help' }).first().getByRole('button').click()
    await of.getByRole('menuitem', { name: ui.edit }).click()
    return of.getByRole('dialog').getByLabel(t.text, { exact: true })
  }
  await asOwn(context, 'administrator', language)
  const mine = await open(page)
  const other = await browser.newContext()
  const colleague = await createUser({ roles: ['administrator'] })
  await asPerson(other, colleague.login, language)
  const second = await other.newPage()
  await (await open(second)).fill('Theirs')
  await second.getByRole('dialog').getByRole('button', { name: ui.save, exact: true }).click()
  await expect(second.getByRole('dialog')).toBeHidden()
  await other.close()

  await mine.fill('Mine')
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: ui.save, exact: true })
  await save.click()
  const conflict = dialog.getByRole('group', { name: ui.conflict.label })
  await expect(conflict).toContainText('Theirs')
  // with who it was
  await expect(conflict).toContainText(colleague.fio)
  await expect(mine).toHaveValue('Mine')
  // nothing is saved before a choice
  await save.click()
  await expect(conflict.getByText(ui.conflict.choose)).toBeVisible()
  await conflict.getByRole('button', { name: ui.conflict.keepMine }).click()
  await save.click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('row').filter({ hasText: 'common.help' }).first()).toContainText('Mine')
  // back to what is shipped
  await page.getByRole('row').filter({ hasText: 'common.help' }).first().getByRole('button').click()
  await page.getByRole('menuitem', { name: t.reset }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.reset }).click()
  await expect(page.getByRole('row').filter({ hasText: 'common.help' }).first()).not.toContainText('Mine')
})
