import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { users } from '@/db/schema/people'
import { hashPassword } from '@/lib/base/crypto/password'
import { createUser } from '../factories/users'
import { expect, test } from './fixtures'
import { ownPerson } from './own-people'
import { handleForms, isForm, password, SignInPage, unknownIdentifier } from './sign-in-page'
import { offlinePageKept } from './signed-in'
import { spokenIn } from './spoken'

const { language } = spokenIn(import.meta.filename)
const everyApplication = '**://*.polaris.example/**'

// the tests of this long file run in both processes
test.describe.configure({ mode: 'parallel' })

let form: SignInPage
/** Whose way leads to several services. */
let login: string
test.beforeEach(async ({ page, context, baseURL, database: _ }) => {
  await context.addCookies([{ name: 'locale', value: language, url: baseURL ?? '' }])
  form = new SignInPage(page, language)
  login = (await ownPerson('employee')).login
})

test('by login, to the services, and sign-out', async ({ page }) => {
  await form.open()
  await expect(page).toHaveTitle(new RegExp(`^${form.t.entry.title} — `))
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(form.identifier).toBeFocused()
  // later steps are for somebody who has an account
  const newcomers = page.locator('main a[href="/platform/registration"]')
  await expect(newcomers).toBeVisible()
  await form.enterIdentifier(login)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(form.t.entry.credentials.title)
  await expect(newcomers).toHaveCount(0)
  await expect(form.passwordField).toBeFocused()
  await expect(page).toHaveTitle(new RegExp(`^${form.t.entry.credentials.title} — `))
  await form.enterPassword()
  await expect(page).toHaveURL('/platform/apps')
  await expect(page.getByRole('link', { name: /Склад|Warehouse/ })).toBeVisible()
  await page.getByRole('button', { name: form.t.common.signOut }).click()
  await expect(page).toHaveURL('/platform/login')
  await page.goBack()
  await expect(page).toHaveURL(/\/platform\/login/)
})

test('what is typed while a step is on its way is neither shown nor sent', async ({ page }) => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const sent: string[] = []
  const end = await handleForms(page, async (route) => {
    sent.push(route.request().postData() ?? '')
    await answered
    await route.continue()
  })
  await form.open()
  await form.identifier.pressSequentially(login)
  await page.keyboard.press('Enter')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(form.identifier).toHaveValue(login)
  answer()
  await expect(form.passwordField).toBeFocused()
  await expect(form.passwordField).toHaveValue('')
  expect(sent).toEqual([expect.not.stringContaining(encodeURIComponent(password))])
  await end()
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/platform/apps')
})

test('what is typed before a failed step is dropped, and typing works again', { tag: '@full' }, async ({ page }) => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await handleForms(page, async (route) => {
    await answered
    await route.fulfill({ status: 400, json: {} })
  })
  await form.open()
  await form.identifier.pressSequentially(login)
  await page.keyboard.press('Enter')
  await page.keyboard.type('secret')
  answer()
  await expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible()
  await expect(form.identifier).toHaveValue(login)
  await expect(form.identifier).toBeFocused()
  await page.keyboard.type('.more')
  await expect(form.identifier).toHaveValue(`${login}.more`)
})

test('by e-mail, to the only service', { tag: '@full' }, async ({ page }) => {
  await page.route(everyApplication, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>service</title>' }),
  )
  await form.signIn((await ownPerson('oneService')).email?.toUpperCase() ?? '')
  await expect(page).toHaveURL(/^https:\/\/\w+\.polaris\.example\/$/)
})

test('a wrong password shows one error at the field, and typing replaces it', async ({ page }) => {
  await form.signIn((await ownPerson('noServices')).login, 'wrong')
  await expect(form.passwordField).toHaveAttribute('aria-invalid', 'true')
  await expect(form.passwordField).toHaveAccessibleDescription(form.t.entry.credentials.failedOrCode)
  await expect(form.passwordField).toBeFocused()
  await expect(page.getByRole('alert').filter({ hasText: form.t.errors.signInFailed })).toHaveCount(1)
  await expect(page.locator('p:visible:not(.sr-only)', { hasText: form.t.errors.signInFailed })).toHaveCount(1)
  await page.keyboard.type(password)
  await expect(form.passwordField).toHaveValue(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/platform/profile')
})

test('an unknown login gets the same error', { tag: '@full' }, async ({ request }) => {
  await form.signIn(await unknownIdentifier(request, `nobody.knows.me.${language}`), 'wrong')
  // some unknown identifiers are offered codes too, and then the text is longer
  await expect(form.passwordField).toHaveAccessibleDescription(new RegExp(`^${form.t.errors.signInFailed}`))
  await expect(form.passwordField).toBeFocused()
})

test('a blocked account is reported only after the right password', { tag: '@full' }, async ({
  request,
  database: _,
}) => {
  // before that it sees what an unknown identifier sees, which may begin with a code
  const hash = await hashPassword(password)
  const begin = `blocked.${language}.${Date.now()}`
  await createUser({ login: await unknownIdentifier(request, begin), enabled: false, passwordHash: hash })
  // schemas of other tests may have changed what is shown meanwhile, so it is checked again
  const blocked = await unknownIdentifier(request, begin)
  const blockedCount = await db().$count(users, eq(users.login, blocked))
  if (blockedCount === 0) await createUser({ login: blocked, enabled: false, passwordHash: hash })
  await form.signIn(blocked)
  await expect(form.alert(form.t.errors.accountBlocked)).toBeVisible()
})

test('after too many wrong passwords the page shows how long to wait', { tag: '@full' }, async ({ page, request }) => {
  const sprayed = await unknownIdentifier(request, `sprayed.in.${language}`)
  await form.open()
  await form.enterIdentifier(sprayed)
  for (let n = 0; n < 5; n++) {
    const answered = page.waitForResponse((response) => isForm(response.request()))
    // the form sends nothing while it handles the previous answer
    const send = page.getByRole('button', { name: form.t.common.signIn, exact: true })
    await expect(send).not.toHaveAttribute('aria-busy', 'true')
    await form.enterPassword('wrong')
    await answered
  }
  await expect(form.alert(form.t.entry.wait.title)).toBeVisible()
})

test('an empty field is reported, and what comes before it stays', { tag: '@full' }, async ({ page }) => {
  await form.open()
  await page.getByRole('button', { name: form.t.common.continue }).click()
  await expect(form.identifier).toHaveAccessibleDescription(form.t.errors.errorEmpty)
  await form.enterIdentifier(login)
  await expect(form.passwordField).toBeVisible()
  await page.getByRole('button', { name: form.t.common.signIn, exact: true }).click()
  await expect(form.passwordField).toHaveAccessibleDescription(form.t.errors.errorEmpty)
  await expect(form.passwordField).toBeFocused()
  await form.enterPassword()
  await expect(page).toHaveURL('/platform/apps')
})

test('a malformed e-mail is reported at the field', { tag: '@full' }, async ({ page }) => {
  await form.open()
  await form.enterIdentifier('anna@polaris')
  await expect(form.identifier).toHaveAccessibleDescription(form.t.errors.errorEmail)
  await expect(form.identifier).toBeFocused()
  const email = (await ownPerson('employee')).email ?? ''
  await form.enterIdentifier(email)
  await expect(form.passwordField).toBeVisible()
  await expect(page.getByText(email)).toBeVisible()
})

test.describe('without an answer of the server', () => {
  test.use({
    provoked: /net::ERR_(FAILED|INTERNET_DISCONNECTED)|ChunkLoadError|error occurred when fetching the script/,
  })
  test('a button sends the same again at each step', { tag: '@full' }, async ({ page, context }) => {
    const again = page.getByRole('button', { name: form.t.common.tryAgain })
    await form.open()
    await context.setOffline(true)
    await form.enterIdentifier(login)
    await expect(page.getByText(form.t.errors.offline)).toBeVisible()
    await expect(form.identifier).toBeFocused()
    await context.setOffline(false)
    await again.click()
    await expect(form.passwordField).toBeFocused()
    await context.setOffline(true)
    await form.enterPassword()
    await expect(form.alert(form.t.errors.techErrorTitle)).toBeVisible()
    await context.setOffline(false)
    await again.click()
    await expect(page).toHaveURL('/platform/apps')
  })
})

test.describe('offline', () => {
  test.use({ provoked: /net::ERR_INTERNET_DISCONNECTED/, serviceWorkers: 'allow' })
  test('the sign-in page opened without a connection offers to try again', { tag: '@full' }, async ({
    page,
    context,
  }) => {
    await form.open()
    await offlinePageKept(page)
    await context.setOffline(true)
    await form.open()
    const again = page.getByRole('link', { name: form.t.shell.offline.retry })
    await expect(again).toBeVisible()
    await context.setOffline(false)
    await again.click()
    await expect(form.identifier).toBeFocused()
  })
})

test('an expired attempt is reported, and the identifier stays', { tag: '@full' }, async ({ page, context }) => {
  await form.open()
  await form.enterIdentifier(login)
  await expect(form.passwordField).toBeVisible()
  await context.clearCookies({ name: /attempt/ })
  await form.enterPassword()
  await expect(form.alert(form.t.errors.expiredError)).toBeVisible()
  await expect(form.identifier).toBeFocused()
  await expect(form.identifier).toHaveValue(login)
  await form.enterIdentifier(login)
  await form.enterPassword()
  await expect(page).toHaveURL('/platform/apps')
})

test('back, forward, reload and “change” keep the step and the input', async ({ page }) => {
  await form.open()
  await form.enterIdentifier(login)
  await expect(form.passwordField).toBeVisible()
  await page.goBack()
  await expect(form.identifier).toHaveValue(login)
  await page.goForward()
  await expect(form.passwordField).toBeVisible()
  await page.reload()
  await expect(form.passwordField).toBeFocused()
  await expect(page).toHaveTitle(new RegExp(`^${form.t.entry.credentials.title} — `))
  await page.getByRole('link', { name: form.t.common.change }).click()
  await expect(page).toHaveTitle(new RegExp(`^${form.t.entry.id.title} — `))
  await expect(form.identifier).toHaveValue(login)
})

test('with two tabs, the one that began last continues, and the other begins again', { tag: '@full' }, async ({
  context,
}) => {
  await form.open()
  await form.enterIdentifier(login)
  await expect(form.passwordField).toBeVisible()
  const other = new SignInPage(await context.newPage(), language)
  await other.open()
  // the page shows the step that the browser's attempt has reached
  await expect(other.passwordField).toBeVisible()
  await other.page.getByRole('link', { name: form.t.common.change }).click()
  const second = await ownPerson('emptyFields')
  await other.enterIdentifier(second.login)
  await expect(other.page.getByText(second.login)).toBeVisible()
  await form.enterPassword()
  await expect(form.alert(form.t.errors.expiredError)).toBeVisible()
  await other.enterPassword()
  await expect(other.page).toHaveURL(/\/platform\/(profile|apps)/)
})

test('works by keyboard alone, tells a password manager the account, and says when Caps Lock is on', {
  tag: '@full',
}, async ({ page }) => {
  await form.open()
  await expect(form.identifier).toBeFocused()
  await expect(form.identifier).toHaveAttribute('autocomplete', 'username')
  await page.keyboard.type(login)
  await page.keyboard.press('Enter')
  await expect(form.passwordField).toBeFocused()
  await expect(form.passwordField).toHaveAttribute('autocomplete', 'current-password')
  const account = page.locator('form:has(input[type=password]) input[name=username]')
  await expect(account).toHaveValue(login)
  await expect(account).toHaveAttribute('autocomplete', 'username')
  expect(await account.boundingBox()).not.toBeNull()

  const press = (modifierCapsLock: boolean) =>
    form.passwordField.dispatchEvent('keydown', { key: 'A', bubbles: true, modifierCapsLock })
  await press(true)
  await expect(page.getByText(form.t.common.capsLock)).toBeVisible()
  await press(false)
  await expect(page.getByText(form.t.common.capsLock)).toBeHidden()

  await page.keyboard.type(password)
  await expect(form.passwordField).toHaveValue(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/platform/apps')
})

test('the title keeps its place from step to step, on a desktop and a phone', { tag: '@full' }, async ({
  page,
  context,
}) => {
  const top = () =>
    page.getByRole('heading', { level: 1 }).evaluate((h1) => h1.getBoundingClientRect().top + window.scrollY)
  for (const width of [1440, 360]) {
    await context.clearCookies({ name: /attempt/ })
    await page.setViewportSize({ width, height: 800 })
    await form.open()
    await expect(form.identifier).toBeFocused()
    const first = await top()
    await form.enterIdentifier(login)
    await expect(form.passwordField).toBeVisible()
    expect(await top(), `${width} px`).toBe(first)
    await form.enterPassword('wrong')
    await expect(form.passwordField).toHaveAttribute('aria-invalid', 'true')
    expect(await top(), `${width} px`).toBe(first)
  }
})

test('a remembered account is offered, and can be removed', async ({ page, context }) => {
  const { remember } = form.t.entry
  const accountCookies = async () => (await context.cookies()).filter(({ name }) => name === 'account')
  const signOut = async () => {
    await page.getByRole('button', { name: form.t.common.signOut }).click()
    await expect(page).toHaveURL('/platform/login')
  }
  await form.signIn(login)
  await expect(page).toHaveURL('/platform/apps')
  expect(await accountCookies()).toEqual([])
  await signOut()
  await page.getByRole('checkbox', { name: remember.label }).check()
  await form.enterIdentifier(login)
  await expect(form.passwordField).toBeVisible()
  expect(await accountCookies()).toEqual([])
  await form.enterPassword()
  await expect(page).toHaveURL('/platform/apps')
  expect(await accountCookies()).toMatchObject([{ value: login, path: '/platform/login' }])
  await signOut()
  let asked = 0
  page.on('request', (request) => void (isForm(request) && asked++))
  const goOn = page.getByRole('button', { name: remember.continue.replace('{account}', login) })
  await expect(goOn).toBeFocused()
  expect(asked).toBe(0)
  await page.keyboard.press('Enter')
  await expect(form.passwordField).toBeFocused()
  expect(asked).toBe(1)
  await form.enterPassword()
  await expect(page).toHaveURL('/platform/apps')
  await signOut()
  await page.getByRole('button', { name: remember.forget }).click()
  await expect(form.identifier).toBeFocused()
  expect(await accountCookies()).toEqual([])
})

test('a remembered account that is refused gives way to the field', { tag: '@full' }, async ({
  page,
  context,
  baseURL,
}) => {
  const account = 'a@b'
  await context.addCookies([{ name: 'account', value: account, url: `${baseURL}/platform/login` }])
  await form.open()
  await page.getByRole('button', { name: form.t.entry.remember.continue.replace('{account}', account) }).click()
  await expect(form.identifier).toHaveAttribute('aria-invalid', 'true')
  await form.identifier.press('End')
  await form.identifier.press('c')
  await expect(form.identifier).toHaveValue(`${account}c`)
  await page.getByRole('checkbox', { name: form.t.entry.remember.label }).check()
  await form.enterIdentifier(login)
  await form.enterPassword()
  await expect(page).toHaveURL('/platform/apps')
  expect(await context.cookies()).toContainEqual(expect.objectContaining({ name: 'account', value: login }))
})

test('several submits send one request', { tag: '@full' }, async ({ page }) => {
  let sent = 0
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await form.open()
  await form.enterIdentifier(login)
  await form.passwordField.fill(password)
  await handleForms(page, async (route) => {
    sent++
    await answered
    await route.continue()
  })
  const button = page.getByRole('button', { name: form.t.common.signIn, exact: true })
  await expect(button).toBeEnabled()
  await button.dblclick()
  await form.passwordField.press('Enter')
  await expect(button).toHaveAttribute('aria-busy', 'true')
  answer()
  await expect(page).toHaveURL('/platform/apps')
  expect(sent).toBe(1)
})
