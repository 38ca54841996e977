import { randomUUID } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { links } from '@/db/schema/entry'
import { providers, userAgreements, users } from '@/db/schema/people'
import { createProvider, linkIn, passResend } from '../factories/recovery'
import { expect, test } from './fixtures'
import { partnersOf, person, speak } from './people'
import { password, SignInPage } from './sign-in-page'
import { asOwn, asPerson } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const t = words.recovery
let form: SignInPage
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const signedIn = async (context: BrowserContext, baseURL = '') =>
  (await context.request.get(`${baseURL}/api/v1/platform/users/settings`)).status()

const email = (page: Page) => page.getByLabel(t.forgot.email, { exact: true })
const send = (page: Page) => page.getByRole('button', { name: t.forgot.send })
const fresh = (page: Page) => page.getByLabel(form.t.entry.password.password, { exact: true })
const repeat = (page: Page) => page.getByLabel(form.t.entry.password.repeat, { exact: true })
const save = (page: Page) => page.getByRole('button', { name: t.set.save })
const generate = (page: Page) => page.getByRole('button', { name: form.t.entry.password.generate })

test.beforeEach(async ({ page, context, baseURL }) => {
  await speak(context, language, baseURL)
  form = new SignInPage(page, language)
})

async function ask(page: Page, address: string) {
  await page.goto('/platform/forgot-password')
  await email(page).fill(address)
  await send(page).click()
}

test('from the sign-in page to a new password and back; the other sessions end', async ({
  page,
  browser,
  request,
  outbox,
  baseURL,
}) => {
  const user = await person(['credentials'])
  const elsewhere = await browser.newContext({ baseURL })
  await asPerson(elsewhere, user.login, language)
  expect(await signedIn(elsewhere, baseURL)).toBe(200)

  await form.open()
  await form.enterIdentifier(user.email)
  // whom the step asks has an account
  await expect(page.locator('a[href="/platform/registration"]')).toHaveCount(0)
  await page.getByRole('link', { name: form.t.entry.credentials.forgot }).click()
  await expect(page).toHaveURL('/platform/forgot-password')
  await expect(email(page)).toHaveValue(user.email)
  await email(page).fill('')
  await expect(page).toHaveTitle(new RegExp(`^${t.forgot.title} — `))
  await expect(email(page)).toHaveAttribute('autocomplete', 'email')
  await send(page).click()
  await expect(email(page)).toHaveAccessibleDescription(form.t.errors.errorEmpty)
  await email(page).fill(`"${user.login}"@polaris.example`)
  await send(page).click()
  await expect(email(page)).toHaveAccessibleDescription(form.t.errors.errorEmail)
  await expect(email(page)).toBeFocused()
  await email(page).fill(user.email.toUpperCase())
  await email(page).press('Enter')
  await expect(heading(page)).toHaveText(t.forgot.sent.title)
  await expect(page).toHaveTitle(new RegExp(`^${t.forgot.sent.title} — `))
  // the address names nobody
  await expect(page).toHaveURL('/platform/forgot-password?step=sent')
  await expect(page.getByRole('timer')).toContainText(t.forgot.sent.resendIn)
  await page.getByText(t.forgot.sent.notReceived).click()
  await expect(page.getByText(t.forgot.sent.advice)).toBeVisible()

  const { address } = linkIn((await outbox(user.email)).text)
  // programs that scan mails open the link first
  for (let n = 0; n < 3; n++) {
    const scanned = await request.get(address)
    expect(scanned.status()).toBe(200)
  }
  await page.goto(address)
  await expect(heading(page)).toHaveText(t.set.title)
  await expect(page.getByText(user.login, { exact: true })).toBeVisible()
  const rule = page.getByRole('listitem').filter({ hasText: form.t.entry.password.rules.uppercase })
  await fresh(page).fill('abc')
  await expect(rule).toContainText(form.t.entry.password.failed)
  await fresh(page).fill('Password-1')
  await expect(rule).toContainText(form.t.entry.password.passed)
  const fault = async (value: string, code: keyof typeof form.t.errors) => {
    await fresh(page).fill(value)
    await repeat(page).fill(value)
    await save(page).click()
    await expect(fresh(page)).toHaveAccessibleDescription(new RegExp(form.t.errors[code]))
    await expect(form.summary(form.t.errors.errorFields)).toBeFocused()
  }
  await fault('Password-1', 'errorPasswordBreached')
  await fault(`${user.email}-A1`, 'errorPasswordPersonal')
  await fault(password, 'errorPasswordRecent')
  await generate(page).click()
  const made = await fresh(page).inputValue()
  await expect(repeat(page)).toHaveValue(made)
  await save(page).click()
  // the sign-in that led to the recovery is over: the password has signed in
  await expect(page).toHaveURL('/platform/profile')
  expect(await signedIn(elsewhere, baseURL)).toBe(401)
  await elsewhere.close()
  // the notice that follows the mail with the link
  await outbox(user.email, 2)
})

test('an unknown e-mail gets the same text; later the link can be requested again; the daily limit and a directory’s domain are explained', {
  tag: '@full',
}, async ({ page, database: _ }) => {
  const nobody = `nobody.${randomUUID()}@nowhere.example`
  await page.clock.install()
  await ask(page, nobody)
  await expect(heading(page)).toHaveText(t.forgot.sent.title)
  await expect(page.getByText(nobody)).toBeVisible()
  const again = page.getByRole('button', { name: t.forgot.sent.resend })
  await expect(again).toBeHidden()
  /** A minute passes, for the server, the browser and the form. */
  const waited = async () => {
    await passResend()
    await page.clock.runFor(61_000)
    await page.locator('input[name=before]').evaluate((field: HTMLInputElement) => {
      field.value = String(Number(field.value) - 60_000)
    })
  }
  for (let n = 2; n <= 5; n++) {
    await waited()
    await again.click()
    await expect(page.getByText(t.forgot.sent.again)).toBeVisible()
    await expect(again).toBeHidden()
    await page.reload()
    await expect(again).toBeHidden()
  }
  await waited()
  await again.click()
  const limit = form.alert(t.forgot.limit.title)
  await expect(limit).toContainText(t.forgot.limit.text)
  await page.getByRole('button', { name: t.forgot.sent.other }).click()
  await expect(heading(page)).toHaveText(t.forgot.title)
  await expect(email(page)).toHaveValue(nobody)
  await send(page).click()
  await expect(form.alert(t.forgot.limit.title)).toBeVisible()

  const claimed = `directory-${randomUUID()}.example`
  const directory = await createProvider({ name: claimed, emailDomains: [claimed] })
  await email(page).fill(`anybody@${claimed}`)
  await send(page).click()
  await expect(form.alert(t.forgot.directory.title)).toContainText(t.forgot.directory.text)
  await page.getByRole('link', { name: t.forgot.toSignIn }).click()
  await expect(page).toHaveURL('/platform/login')
  await db().delete(providers).where(eq(providers.id, directory.id))
})

test('a dead link says why it is dead and offers a next step', { tag: '@full' }, async ({ page, context, outbox }) => {
  const dead = t.set.dead
  await page.goto(`/platform/new-password/${crypto.randomUUID()}`)
  await expect(page).toHaveURL('/platform/404?link=recovery')
  const askAgain = page.getByRole('link', { name: t.set.askAgain })
  const user = await person(['credentials'])
  const make = (values: Partial<typeof links.$inferInsert>) =>
    db().update(links).set(values).where(eq(links.userId, user.id))
  await ask(page, user.email)
  await expect(heading(page)).toHaveText(t.forgot.sent.title)
  const { id } = linkIn((await outbox(user.email)).text)
  const address = `/platform/new-password/${id}`
  await page.goto(address)
  await generate(page).click()
  // the link dies while the page is open
  await make({ expiresAt: new Date(Date.now() - 1000) })
  await save(page).click()
  await expect(heading(page)).toHaveText(dead.expired.title)
  await expect(page.getByText(dead.expired.text)).toBeVisible()
  await expect(askAgain).toHaveAttribute('href', '/platform/forgot-password')
  await make({ canceledAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) })
  await page.reload()
  await expect(heading(page)).toHaveText(dead.canceledError.title)
  await make({ canceledAt: null })

  // if another account is signed in, it is signed out and the link opens
  await asOwn(context, 'noServices', language)
  await page.goto(address)
  await expect(heading(page)).toHaveText(dead.accessError.title)
  await page.getByRole('button', { name: t.set.signOut }).click()
  await expect(heading(page)).toHaveText(t.set.title)

  // two tabs: after the first has saved, the second can't save
  const other = await context.newPage()
  await other.goto(address)
  for (const tab of [page, other]) await generate(tab).click()
  await save(page).click()
  await expect(page).toHaveURL('/platform/profile')
  await save(other).click()
  await expect(heading(other)).toHaveText(dead.linkUsed.title)
  await expect(other.getByRole('link', { name: t.set.askAgain })).toBeVisible()
  // the new password has signed in, so the way to the sign-in leads on
  await other.getByRole('link', { name: form.t.common.toSignIn }).click()
  await expect(other).toHaveURL('/platform/profile/personal')
  const [row] = await db().select().from(users).where(eq(users.id, user.id))
  expect(row?.passwordHash).not.toBe(user.passwordHash)
})

test('the domain’s agreements are asked for together with the password', {
  tag: '@full',
}, async ({ page, baseURL, outbox }) => {
  const user = await person(['credentials'])
  await page.goto(`${partnersOf(baseURL)}/platform/forgot-password`)
  await email(page).fill(user.email)
  await send(page).click()
  await expect(heading(page)).toHaveText(t.forgot.sent.title)
  const { origin, id } = linkIn((await outbox(user.email)).text)
  expect(origin).toBe(partnersOf(baseURL))
  await page.goto(`${origin}/platform/new-password/${id}`)
  await generate(page).click()
  await save(page).click()
  const tick = page.getByRole('checkbox')
  await expect(tick).toHaveAccessibleDescription(form.t.errors.errorTerms)
  // a password is never shown again
  await expect(fresh(page)).toHaveValue('')
  await generate(page).click()
  await tick.check()
  await save(page).click()
  await expect(page).toHaveURL(/\/platform\/profile$/)
  expect(await db().select().from(userAgreements).where(eq(userAgreements.userId, user.id))).toHaveLength(1)
})
