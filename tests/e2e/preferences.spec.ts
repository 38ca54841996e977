import type { Locator } from '@playwright/test'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { ownPerson } from './own-people'
import { at, choiceKept, forgetChoices, heading, phone } from './shell-page'
import { spokenIn } from './spoken'
import { wordsOf } from './words'

const { language, words } = spokenIn(import.meta.filename)
const { shell } = words
const other = language === 'ru' ? 'en' : 'ru'
const otherWords = wordsOf(other)
const nameOf = { ru: 'Русский', en: 'English' }

const zoneIn = (place: Locator, { timeZone } = shell) => place.getByLabel(timeZone)

test.beforeEach(async ({ database: _ }) => forgetChoices((await ownPerson('employee')).login))

test('the zone of times is chosen among all that the browser knows, and is kept', async ({ page }) => {
  await at(page, 'employee', '/platform/profile/sessions', language)
  await page.getByRole('button', { name: shell.preferences }).click()
  const zone = zoneIn(page.getByRole('dialog', { name: shell.preferences }))
  await expect(zone).toHaveValue('')
  await expect(zone.getByRole('option')).toHaveText([shell.timeZoneOfBrowser])
  await zone.focus()
  await expect.poll(() => zone.getByRole('option').count()).toBeGreaterThan(300)
  const choice = choiceKept(page, 'chosenTimeZone')
  await zone.selectOption('Asia/Tokyo')
  expect((await choice).status()).toBe(200)
  const time = page.locator('main time').first()
  await expect(time).toContainText('UTC+9')
  await page.reload()
  await page.getByRole('button', { name: shell.preferences }).click()
  await expect(zone).toHaveValue('Asia/Tokyo')
  await expect(time).toContainText('UTC+9')
})

test.describe('what could not be stored', () => {
  test.use({ provoked: /net::ERR_FAILED/ })

  test('the zone stays what it was, and the page says so', { tag: '@full' }, async ({ page }) => {
    await at(page, 'employee', '/platform/profile', language)
    await page.getByRole('button', { name: shell.preferences }).click()
    const zone = zoneIn(page.getByRole('dialog', { name: shell.preferences }))
    await zone.focus()
    await page.route('**/users/settings', (route) => route.abort())
    await zone.selectOption('Asia/Tokyo')
    await expect(page.getByText(words.snackbar.userSettingsError)).toBeVisible()
    await expect(zone).toHaveValue('')
  })
})

test('by keyboard the language changes in place; the choices of a phone are those of a desktop', {
  tag: '@full',
}, async ({ page }) => {
  await at(page, 'employee', '/platform/profile', language)
  await page.getByRole('button', { name: shell.preferences }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const chosen = page.getByRole('radio', { name: nameOf[language] })
  await expect(chosen).toBeFocused()
  await expect(chosen).toBeChecked()
  const choice = choiceKept(page, 'lang')
  await page.keyboard.press(language === 'ru' ? 'ArrowRight' : 'ArrowLeft')
  await expect(page.locator('html')).toHaveAttribute('lang', other)
  await choice
  const dialog = page.getByRole('dialog', { name: otherWords.shell.preferences })
  await expect(dialog.getByRole('radio', { name: nameOf[other] })).toBeChecked()
  await expect(dialog.getByRole('radio', { name: otherWords.shell.themes.system })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await page.setViewportSize(phone)
  await page.getByRole('button', { name: otherWords.shell.more }).click()
  const sheet = page.getByRole('dialog', { name: otherWords.shell.more })
  await expect(sheet.getByRole('radio', { name: nameOf[other] })).toBeChecked()
  await sheet.getByText(otherWords.shell.themes.dark, { exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(sheet.getByRole('radio', { name: otherWords.shell.themes.dark })).toBeChecked()
  await expect(sheet.getByRole('radio', { name: otherWords.shell.themes.system })).not.toBeChecked()
  await expect(zoneIn(sheet, otherWords.shell)).toHaveValue('')
  await sheet.getByText(nameOf[language], { exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  await expect(heading(page)).toBeVisible()
})
