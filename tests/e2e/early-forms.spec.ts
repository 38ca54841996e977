import type { Page } from '@playwright/test'
import { linkIn, passResend } from '../factories/recovery'
import { firstPassword } from './first-password'
import { expect, test } from './fixtures'
import { withoutScripts } from './late-scripts'
import { ownPerson } from './own-people'
import { person, speak } from './people'
import { newEmail, newNumber, pathIn, RegistrationPage } from './registration-page'
import { phone } from './shell-page'
import { password, SignInPage } from './sign-in-page'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

// each form that people meet first, typed in and sent before its scripts have run (ADR 36)
test.describe.configure({ mode: 'parallel' })

const { language } = spokenIn(import.meta.filename)
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Makes everything in the page so many times slower, as a busy machine does. */
async function slowly(page: Page, rate: number) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

let form: SignInPage
test.beforeEach(async ({ page, context, baseURL }) => {
  await speak(context, language, baseURL)
  form = new SignInPage(page, language)
})

const field = (name: 'password' | 'repeat') => form.page.getByLabel(form.t.entry.password[name], { exact: true })

test('a first password that is typed in both fields and submitted is saved', async ({ page, context, database: _ }) => {
  const { path } = await firstPassword(context)
  const scripts = await withoutScripts(page)
  await scripts.open(path)
  await field('password').fill(`${password}-new`)
  await field('repeat').fill(`${password}-new`)
  await page.getByRole('button', { name: form.t.entry.password.save }).click()
  scripts.come()
  await expect(page).toHaveURL('/platform/profile')
})

test('a first password is checked against its rules', { tag: '@full' }, async ({ page, context, database: _ }) => {
  const { path } = await firstPassword(context)
  const scripts = await withoutScripts(page)
  await scripts.open(path)
  await field('password').pressSequentially('Abc')
  scripts.come()
  const rule = page.getByRole('listitem').filter({ hasText: form.t.entry.password.rules.uppercase })
  await expect(rule).toContainText(form.t.entry.password.passed)
  // the cursor stays after the typed text
  await field('password').pressSequentially('d1')
  await expect(field('password')).toHaveValue('Abcd1')
})

test('a new password from a link in a mail is saved', async ({ page, context, baseURL, outbox, database: _ }) => {
  const { recovery } = form.t
  const user = await person(['credentials'])
  await passResend()
  const asked = await context.request.post('/api/v1/platform/password/link', {
    data: { email: user.email },
    headers: { origin: baseURL ?? '' },
  })
  expect(asked.status(), await asked.text()).toBe(200)
  const { id } = linkIn((await outbox(user.email)).text)
  const scripts = await withoutScripts(page)
  await scripts.open(`/platform/new-password/${id}`)
  await field('password').fill(`${password}-new`)
  await field('repeat').fill(`${password}-new`)
  await page.getByRole('button', { name: recovery.set.save }).click()
  scripts.come()
  await expect(page).toHaveURL('/platform/profile')
})

test('both steps of a registration succeed', async ({ page, outbox }) => {
  const email = newEmail()
  const registration = new RegistrationPage(page, language)
  const scripts = await withoutScripts(page)
  await scripts.open('/platform/registration')
  await registration.ask(email)
  scripts.come()
  await expect(heading(page)).toHaveText(registration.t.registration.sent.title)

  const later = await withoutScripts(page)
  const path = pathIn((await outbox(email)).text)
  await later.open(path)
  const number = newNumber()
  await registration.mobile.fill(number)
  await registration.button(registration.t.person.getCode).click()
  await expect(registration.code).toBeVisible()
  const { code } = await outbox(`+7${number}`)
  // the code is typed before the script that would send it has come
  await registration.code.fill(code)
  later.come()
  await expect(page.getByText(registration.t.person.verified)).toBeVisible()

  const once = await withoutScripts(page)
  await once.open(path)
  await registration.password.fill(`${password}-new`)
  await registration.repeat.fill(`${password}-new`)
  await registration.fillFurther()
  once.come()
  await expect(registration.password).toHaveValue(`${password}-new`)
  await registration.finish()
  await expect(page).toHaveURL(/\/platform\/profile$/)
})

for (const [place, path, kind, tag] of [
  ['the header of the services', '/platform/apps', 'employee', []],
  ['the header of the administration', '/platform/setting', 'administrator', ['@full']],
] as const)
  test(`a click on sign-out in ${place} signs out once`, { tag: [...tag] }, async ({ page, context }) => {
    await asOwn(context, kind, language)
    const scripts = await withoutScripts(page)
    let calls = 0
    page.on('request', (request) => void (request.url().includes('/auth/logout') && calls++))
    await scripts.open(path)
    const out = page.getByRole('button', { name: form.t.common.signOut, exact: true })
    await out.click()
    await out.click()
    scripts.come()
    await expect(page).toHaveURL('/platform/login')
    expect(calls).toBe(1)
  })

test('a tap on «More» opens the phone’s menu, and one on sign-out signs out', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await page.setViewportSize(phone)
  await asOwn(context, 'employee', language)
  const { more, bottomMenu } = form.t.shell
  const scripts = await withoutScripts(page)
  await scripts.open('/platform/apps')
  await page.getByRole('navigation', { name: bottomMenu }).getByRole('button', { name: more }).click()
  scripts.come()
  await expect(page.getByRole('dialog', { name: more })).toBeVisible()

  const later = await withoutScripts(page)
  await later.open('/platform/apps')
  await page.getByRole('button', { name: form.t.common.signOut, exact: true }).click()
  later.come()
  await expect(page).toHaveURL('/platform/login')
})

test('nothing is lost of what is typed while the page comes alive', { tag: '@full' }, async ({ page }) => {
  const scripts = await withoutScripts(page)
  await scripts.open('/platform/login')
  const typing = form.identifier.pressSequentially('somebody-with-a-long-login', { delay: 40 })
  await expect(form.identifier).toHaveValue(/^some/)
  scripts.come()
  await typing
  await expect(form.identifier).toHaveValue('somebody-with-a-long-login')
})

test('on a machine ten times as slow one signs in, and out again at once', { tag: '@full' }, async ({ page }) => {
  await slowly(page, 10)
  await page.goto('/platform/login', { waitUntil: 'commit' })
  await form.identifier.pressSequentially((await ownPerson('employee')).login)
  await page.keyboard.press('Enter')
  await form.enterPassword()
  await expect(page).toHaveURL('/platform/apps')
  await page.goto('/platform/apps', { waitUntil: 'commit' })
  await page.getByRole('button', { name: form.t.common.signOut, exact: true }).click()
  await expect(page).toHaveURL('/platform/login')
})
