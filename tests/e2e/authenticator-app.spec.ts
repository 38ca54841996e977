import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { giveApp } from '../factories/authenticator'
import { codeOf } from '../factories/totp'
import { expect, test } from './fixtures'
import { person, speak } from './people'
import { SignInPage } from './sign-in-page'
import { takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { totp } = words.entry
const { factors } = words.account

let form: SignInPage
test.beforeEach(async ({ page, context, baseURL }) => {
  await speak(context, language, baseURL)
  form = new SignInPage(page, language)
})

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const keyIn = (page: Page) =>
  page
    .locator('code', { hasText: /^([A-Z2-7]{4} ?){8}$/ })
    .textContent()
    .then((key) => (key ?? '').replaceAll(' ', ''))
/** Ends the session, away from the page, which would otherwise leave by itself at the same time. */
async function leave(page: Page) {
  await page.goto('about:blank')
  await page.context().clearCookies({ name: 'platform-session' })
}

test('set up in the profile with a code to the e-mail, then removed with a recovery code', async ({
  page,
  outbox,
  database: _,
}) => {
  const user = await person(['credentials'])
  await form.signIn(user.login)
  await expect(page).toHaveURL('/platform/profile')
  await page.goto('/platform/profile/personal')
  await takenOver(page)
  await page.getByRole('button', { name: factors.connect, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: words.account.code.send }).click()
  await expect(dialog.getByLabel(factors.ownCode)).toHaveAccessibleDescription('')
  await dialog.getByLabel(factors.ownCode).fill((await outbox(user.email)).code)
  await dialog.getByRole('button', { name: factors.next }).click()
  await expect(dialog.getByRole('img', { name: factors.qr })).toBeVisible()
  const key = await keyIn(page)
  await dialog.getByLabel(factors.code, { exact: true }).fill('000000')
  await dialog.getByRole('button', { name: factors.confirm, exact: true }).click()
  await expect(dialog.getByLabel(factors.code, { exact: true })).toHaveAccessibleDescription(words.errors.errorCode)
  await dialog.getByLabel(factors.code, { exact: true }).fill(codeOf(key, -1))
  await dialog.getByRole('button', { name: factors.confirm, exact: true }).click()
  await expect(dialog).toContainText(factors.codesText)
  const codes = await dialog.getByRole('listitem').allInnerTexts()
  // codes that nobody has kept aren't closed by a slip
  await page.keyboard.press('Escape')
  await expect(page.getByText(words.ui.unsaved.title)).toBeVisible()
  await page.keyboard.press('Escape')
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: factors.download }).click()
  const file = await (await saving).path()
  expect((await readFile(file, 'utf8')).trimEnd().split('\n').slice(2)).toEqual(codes)
  await dialog.getByRole('button', { name: factors.saved }).click()
  await expect(page.getByRole('button', { name: factors.connect, exact: true })).toHaveCount(0)

  await page.getByRole('button', { name: factors.app }).click()
  await page.getByRole('menuitem', { name: factors.remove }).click()
  await dialog.getByLabel(factors.appCode).fill(codes[0] ?? '')
  await dialog.getByRole('button', { name: factors.removeConfirm, exact: true }).click()
  await expect(page.getByRole('button', { name: factors.connect, exact: true })).toBeVisible()
})

test('its code is the second factor at sign-in; a wrong recovery code keeps the cursor', async ({
  page,
  database: _,
}) => {
  const user = await person(['credentials'], ['totp'])
  const { key, recoveryCodes } = await giveApp(user.id)
  await form.signIn(user.login)
  await expect(heading(page)).toHaveText(totp.title)
  await page.getByText(totp.recovery).click()
  const recovery = page.getByLabel(totp.recoveryLabel, { exact: true })
  await recovery.fill('aaaaa-bbbbb')
  await page.getByRole('button', { name: totp.recoverySend }).click()
  await expect(recovery).toHaveAccessibleDescription(new RegExp(totp.recoveryWrong))
  await expect(recovery).toBeFocused()
  await page.getByRole('textbox', { name: totp.label, exact: true }).fill(codeOf(key))
  await expect(page).toHaveURL('/platform/profile')

  await leave(page)
  await form.signIn(user.login)
  await page.getByText(totp.recovery).click()
  await recovery.fill(recoveryCodes[0] ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/platform/profile')
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('set up at sign-in because the schema asks for it, after a code to the e-mail', async ({
    page,
    outbox,
    database: _,
  }) => {
    const user = await person(['credentials'], ['totp'])
    await form.signIn(user.login)
    await expect(heading(page)).toHaveText(words.entry.code.email_code.title)
    await page.getByRole('button', { name: words.entry.code.resend }).click()
    await page.getByLabel(words.entry.code.label).fill((await outbox(user.email)).code)
    await page.getByRole('button', { name: words.common.continue }).click()
    await expect(heading(page)).toHaveText(totp.setUp.title)
    await expect(page).toHaveTitle(new RegExp(totp.setUp.title))
    await expect(page.getByRole('img', { name: totp.setUp.qr })).toBeVisible()
    const key = await keyIn(page)
    const field = page.getByRole('textbox', { name: totp.setUp.code, exact: true })
    await field.fill('000000')
    await page.getByRole('button', { name: totp.setUp.send }).click()
    await expect(field).toHaveAccessibleDescription(totp.wrong)
    expect(await keyIn(page)).toBe(key)
    await field.fill(codeOf(key, -1))
    await page.getByRole('button', { name: totp.setUp.send }).click()
    await expect(page).toHaveURL('/platform/profile')

    await leave(page)
    await form.signIn(user.login)
    await expect(heading(page)).toHaveText(totp.title)
    await page.getByRole('textbox', { name: totp.label, exact: true }).fill(codeOf(key))
    await page.getByRole('button', { name: words.common.continue }).click()
    await expect(page).toHaveURL('/platform/profile')
  })
})
