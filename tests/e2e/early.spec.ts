import type { Page } from '@playwright/test'
import { earlyEvents } from '@/components/early/early-events'
import { expect, test } from './fixtures'
import { person } from './people'
import { newEmail, RegistrationPage } from './registration-page'
import { password, SignInPage } from './sign-in-page'
import { asPerson, signInAs } from './signed-in'

// input before a page's scripts have run (ADR 36)
test.describe.configure({ mode: 'parallel' })

/** Delays every script of the page until `come` is called, as a slow network does. */
async function withoutScripts(page: Page) {
  let come = () => {}
  const gate = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route('**/_next/static/**/*.js*', async (route) => {
    await gate
    await route.continue().catch(() => undefined)
  })
  return { come, open: (path: string) => page.goto(path, { waitUntil: 'commit' }) }
}
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('an identifier that is typed and submitted early is accepted', async ({ page }) => {
  const scripts = await withoutScripts(page)
  const form = new SignInPage(page)
  await scripts.open('/platform/login')
  await form.enterIdentifier('services')
  await form.enterIdentifier('auditor')
  scripts.come()
  await expect(heading(page)).toHaveText(form.t.entry.credentials.title)
  await expect(page.getByText('auditor')).toBeVisible()
})

test('a first password that is typed in both fields and submitted early is saved', async ({ page, database: _ }) => {
  const user = await person(['credentials'], [], { passwordChangeRequired: true })
  const form = new SignInPage(page)
  const words = form.t.entry.password
  await form.signIn(user.login)
  await expect(heading(page)).toHaveText(words.title)
  const scripts = await withoutScripts(page)
  await scripts.open(page.url())
  await page.getByLabel(words.password, { exact: true }).fill(`${password}-new`)
  await page.getByLabel(words.repeat, { exact: true }).fill(`${password}-new`)
  await page.getByRole('button', { name: words.save }).click()
  scripts.come()
  await expect(page).toHaveURL('/platform/profile')
})

test('a first password that is typed early is checked against its rules', async ({ page, database: _ }) => {
  const user = await person(['credentials'], [], { passwordChangeRequired: true })
  const form = new SignInPage(page)
  const words = form.t.entry.password
  await form.signIn(user.login)
  await expect(heading(page)).toHaveText(words.title)
  const scripts = await withoutScripts(page)
  await scripts.open(page.url())
  const field = page.getByLabel(words.password, { exact: true })
  await field.pressSequentially('Abc')
  scripts.come()
  await expect(page.getByRole('listitem').filter({ hasText: words.rules.uppercase })).toContainText(words.passed)
  // the cursor stays after the typed text
  await field.pressSequentially('d1')
  await expect(field).toHaveValue('Abcd1')
})

test('a code that was sent before a reload is accepted', async ({ page, outbox, database: _ }) => {
  const user = await person(['email_code'])
  const form = new SignInPage(page)
  await form.open()
  await form.enterIdentifier(user.login)
  await expect(heading(page)).toHaveText(form.t.entry.code.email_code.title)
  const { code } = await outbox(user.email)
  const scripts = await withoutScripts(page)
  await scripts.open('/platform/login')
  await page.getByLabel(form.t.entry.code.label, { exact: true }).pressSequentially(code)
  scripts.come()
  await expect(page).toHaveURL('/platform/profile')
})

test('a registration that is submitted early succeeds', async ({ page }) => {
  const scripts = await withoutScripts(page)
  const form = new RegistrationPage(page, 'ru')
  await scripts.open('/platform/registration')
  await form.ask(newEmail())
  scripts.come()
  await expect(form.heading).toHaveText(form.t.registration.sent.title)
})

test('the language of the sign-in page changes, and the input stays', async ({ page }) => {
  const scripts = await withoutScripts(page)
  const form = new SignInPage(page)
  await scripts.open('/platform/login')
  await form.identifier.fill('services')
  await page.getByRole('button', { name: /^Язык:/ }).click()
  scripts.come()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await expect(new SignInPage(page, 'en').identifier).toHaveValue('services')
})

test('an early click on sign-out is repeated', async ({ page, context }) => {
  await signInAs(context, 'services')
  const { common } = new SignInPage(page).t
  const scripts = await withoutScripts(page)
  let calls = 0
  page.on('request', (request) => void (request.url().includes('/auth/logout') && calls++))
  await scripts.open('/platform/apps')
  const out = page.getByRole('button', { name: common.signOut })
  await out.click()
  await out.click()
  scripts.come()
  await expect(page).toHaveURL('/platform/login')
  expect(calls).toBe(1)
})

test('early clicks open a list’s dialog and a row’s menu', async ({ page, context }) => {
  await asPerson(context, 'admin')
  const { 'network-aliases': networkAliases, ui } = new SignInPage(page).t
  const scripts = await withoutScripts(page)
  await scripts.open('/platform/setting/network-aliases')
  await page.getByRole('button', { name: networkAliases.create }).first().click()
  scripts.come()
  await expect(page.getByRole('dialog', { name: networkAliases.createTitle })).toBeVisible()

  const late = await withoutScripts(page)
  await late.open('/platform/setting/network-aliases')
  await page.getByRole('row').getByRole('button').last().click()
  late.come()
  await expect(page.getByRole('menuitem', { name: ui.edit })).toBeVisible()
})

test('a click is repeated only on what the person saw, and not if they click again', async ({ page }) => {
  await page.setContent(
    `<button id="same" type="button">Open<span aria-hidden="true">Ctrl K</span></button>
    <button id="other" type="button">Open</button>
    <button id="switch" type="button" aria-checked="false">Main</button>
    <button id="again" type="button">Save</button>
    <form><button id="send">Send</button></form>`,
  )
  await page.evaluate(earlyEvents)
  for (const id of ['same', 'other', 'switch', 'again', 'send']) await page.locator(`#${id}`).click()
  const done = await page.evaluate(async () => {
    const of = (id: string) => document.getElementById(id) as HTMLButtonElement
    const seen: string[] = []
    document.addEventListener('click', ({ target }) => void seen.push((target as Element).closest('button')?.id ?? ''))
    document.addEventListener('submit', (event) => {
      event.preventDefault()
      seen.push('form')
    })
    // React takes over and renders newer content in the same elements
    for (const element of document.querySelectorAll('*')) Object.assign(element, { __reactProps$x: {} })
    of('same').lastElementChild?.replaceChildren('⌘K')
    of('other').textContent = 'Delete'
    of('switch').setAttribute('aria-checked', 'true')
    window.pageAlive?.()
    of('again').click()
    of('send').form?.requestSubmit()
    await new Promise((resolve) => setTimeout(resolve, 300))
    return seen
  })
  expect(done.sort()).toEqual(['again', 'form', 'same'])
})
