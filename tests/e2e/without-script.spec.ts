import type { Page } from '@playwright/test'
import { startApplication } from './application'
import { expect, test } from './fixtures'
import { ownPerson } from './own-people'
import { person, speak } from './people'
import { password, SignInPage, texts } from './sign-in-page'
import { spokenIn } from './spoken'

// signing in where no script runs: embedded browsers, text browsers, blocked addresses
test.describe.configure({ mode: 'parallel' })
test.use({ javaScriptEnabled: false })

const { language, words } = spokenIn(import.meta.filename)
const { entry, errors, common, shell } = words
const address = /\/platform\/login/
/** What only a script shows. Text browsers show it in spite of `hidden`. */
const ofScript = (page: Page) => page.locator('main :is(button, p)[hidden]')

let form: SignInPage
test.beforeEach(async ({ page, context, baseURL }) => {
  await speak(context, language, baseURL)
  form = new SignInPage(page, language)
})

test('by password, after a wrong one, on to the page that the person was going to', async ({ page, database: _ }) => {
  const user = await person(['credentials'])
  await page.goto('/platform/profile/sessions')
  await expect(page).toHaveURL(address)
  await form.enterIdentifier(user.login)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(entry.credentials.title)
  await expect(ofScript(page)).toHaveCount(0)
  await form.enterPassword('wrong')
  await expect(form.passwordField).toHaveAccessibleDescription(new RegExp(errors.signInFailed))
  await expect(form.passwordField).toHaveValue('')
  await page.getByRole('link', { name: common.change }).click()
  await expect(form.identifier).toHaveValue(user.login)
  await form.enterIdentifier(user.login)
  await form.enterPassword()
  await expect(page).toHaveURL('/platform/profile/sessions')
})

test('by password, on to the application that asked for it', async ({ page, baseURL, database: _ }) => {
  const app = await startApplication('procurement', baseURL)
  try {
    const { login } = await ownPerson('oneService')
    const { href } = await app.authorization({ scope: 'openid' })
    await page.goto(href)
    await expect(page).toHaveURL(address)
    await form.enterIdentifier(login)
    await form.enterPassword()
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
  } finally {
    app.stop()
  }
})

test('by a code, wrong, requested again and right, and by password in its place', async ({
  page,
  context,
  outbox,
  database: _,
}) => {
  const user = await person(['email_code', 'credentials'])
  await form.open()
  await form.enterIdentifier(user.login)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(entry.code.email_code.title)
  const { code } = await outbox(user.email)
  await expect(ofScript(page)).toHaveCount(0)
  const field = page.getByLabel(entry.code.label, { exact: true })
  await field.fill(code.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10)))
  await page.getByRole('button', { name: common.continue }).click()
  await expect(field).toHaveAccessibleDescription(errors.errorCode)
  // too early, so nothing is sent and nothing is claimed
  await page.getByRole('button', { name: entry.code.resend }).click()
  await expect(page.getByText(entry.code.email_code.again)).toHaveCount(0)
  await expect(page.getByText(entry.code.resendIn)).toBeVisible()
  await field.fill(`${code.slice(0, 2)} ${code.slice(2)}`)
  await page.getByRole('button', { name: common.continue }).click()
  await expect(page).toHaveURL('/platform/profile')
  await context.clearCookies()
  await speak(context, language, new URL(page.url()).origin)
  await form.open()
  await form.enterIdentifier(user.login)
  await page.getByRole('button', { name: entry.flows.credentials }).click()
  await form.enterPassword(password)
  await expect(page).toHaveURL('/platform/profile')
})

test('the empty field says what is missing; language, theme and consent are chosen', async ({ page }) => {
  const other = language === 'ru' ? 'en' : 'ru'
  await form.open()
  await expect(page).toHaveURL(address)
  await page.getByRole('button', { name: common.continue }).click()
  await expect(form.identifier).toHaveAccessibleDescription(errors.errorEmpty)
  const notice = page.getByRole('region', { name: common.cookie.label })
  await notice.getByRole('button').click()
  await expect(page).toHaveURL(address)
  await expect(notice).toHaveCount(0)
  await page.locator('summary', { has: page.locator(`xpath=self::*[@title="${shell.theme}"]`) }).click()
  await page.getByRole('button', { name: shell.themes.dark }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.locator('header summary').last().click()
  await page.getByRole('button', { name: { ru: 'Русский', en: 'English' }[other] }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', other)
  await expect(new SignInPage(page, other).identifier).toHaveValue('')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(texts[other].entry.id.title)
})

test('a browser that keeps no cookies is told so', { tag: '@full' }, async ({ page, context }) => {
  await form.open()
  await expect(page).toHaveURL(address)
  await context.clearCookies({ name: /browser$/ })
  await form.enterIdentifier('somebody')
  const alert = page.getByRole('alert').filter({ hasText: errors.formCookiesTitle })
  await expect(alert).toBeVisible()
  // the page with the alert has set a cookie, so the next request has one
  await page.reload()
  await expect(form.identifier).toBeVisible()
  await expect(alert).toHaveCount(0)
  await page.locator('header summary').last().click()
  await page.getByRole('button', { name: language === 'ru' ? 'English' : 'Русский' }).click()
  await expect(page).toHaveURL('/platform/login')
})
