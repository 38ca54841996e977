import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { links } from '@/db/schema/entry'
import { users } from '@/db/schema/people'
import { firstPassword } from './first-password'
import { expect, test } from './fixtures'
import { person, speak } from './people'
import { password, SignInPage } from './sign-in-page'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

const { language } = spokenIn(import.meta.filename)
let form: SignInPage
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const field = (page: Page, name: 'password' | 'repeat') => page.getByLabel(form.t.entry.password[name], { exact: true })
const save = (page: Page) => page.getByRole('button', { name: form.t.entry.password.save })

test.beforeEach(async ({ page, context, baseURL }) => {
  await speak(context, language, baseURL)
  form = new SignInPage(page, language)
})

test('the rules are checked while the person types, Generate works, and saving leads to the profile', async ({
  page,
  database: _,
}) => {
  const words = form.t.entry.password
  const user = await person(['credentials'], [], { passwordChangeRequired: true })
  await form.signIn(user.login)
  await expect(heading(page)).toHaveText(words.title)
  const [fresh, repeat] = [field(page, 'password'), field(page, 'repeat')]
  // password managers find the account and the new password
  const account = page.locator('form input[name=username]')
  await expect(account).toHaveValue(user.login)
  await expect(account).toHaveAttribute('autocomplete', 'username')
  expect(await account.boundingBox()).not.toBeNull()
  for (const one of [fresh, repeat]) await expect(one).toHaveAttribute('autocomplete', 'new-password')

  const rule = page.getByRole('listitem').filter({ hasText: words.rules.uppercase })
  await fresh.fill('abc')
  await expect(rule).toContainText(words.failed)
  await fresh.fill('Abc')
  await expect(rule).toContainText(words.passed)
  await save(page).click()
  await expect(fresh).toHaveAccessibleDescription(new RegExp(form.t.errors.errorPasswordRules))
  await fresh.fill(`${password}x`)
  await repeat.fill(`${password}y`)
  await save(page).click()
  await expect(repeat).toHaveAccessibleDescription(form.t.errors.errorMatch)
  await page.getByRole('button', { name: words.generate }).click()
  const generated = await fresh.inputValue()
  expect(generated.length).toBeGreaterThanOrEqual(8)
  await expect(repeat).toHaveValue(generated)
  const address = page.url()
  await save(page).click()
  await expect(page).toHaveURL('/platform/profile')
  await page.goto(address)
  await expect(heading(page)).toHaveText(words.dead.linkUsed.title)
  const [row] = await db().select().from(users).where(eq(users.id, user.id))
  expect(row?.passwordChangeRequired).toBe(false)
})

test('the previous password is refused; an expired or canceled link says why it is dead and what to do', {
  tag: '@full',
}, async ({ page, context, database: _ }) => {
  const { user, path } = await firstPassword(context)
  await page.goto(path)
  await field(page, 'password').fill(password)
  await field(page, 'repeat').fill(password)
  await save(page).click()
  const summary = form.summary(form.t.errors.errorFields)
  await expect(summary).toBeFocused()
  await expect(field(page, 'password')).toHaveAccessibleDescription(new RegExp(form.t.errors.errorPasswordSame))
  await summary.getByRole('link').click()
  await expect(field(page, 'password')).toBeFocused()

  const { dead } = form.t.entry.password
  const make = (values: Partial<typeof links.$inferInsert>) =>
    db().update(links).set(values).where(eq(links.userId, user.id))
  const later = new Date(Date.now() + 3_600_000)
  await page.getByRole('button', { name: form.t.entry.password.generate }).click()
  await make({ expiresAt: new Date(Date.now() - 1000) })
  await save(page).click()
  await expect(heading(page)).toHaveText(dead.expired.title)
  await expect(page.getByText(dead.expired.text)).toBeVisible()
  await make({ canceledAt: new Date(), expiresAt: later })
  await page.reload()
  await expect(heading(page)).toHaveText(dead.canceledError.title)
  await page.getByRole('link', { name: form.t.common.toSignIn }).click()
  await expect(page).toHaveURL('/platform/login')
})

test('a person who is signed in as somebody else can sign out to open the link, and then signs in with the new password', {
  tag: '@full',
}, async ({ page, context, database: _ }) => {
  const words = form.t.entry.password
  const { user, path } = await firstPassword(context)
  await context.clearCookies({ name: /attempt/ })
  await asOwn(context, 'noServices', language)
  await page.goto(path)
  await expect(heading(page)).toHaveText(words.dead.accessError.title)
  await page.getByRole('button', { name: words.dead.signOut }).click()
  await expect(heading(page)).toHaveText(words.title)
  await page.getByRole('button', { name: words.generate }).click()
  const made = await field(page, 'password').inputValue()
  await save(page).click()
  await expect(heading(page)).toHaveText(words.saved.title)
  await expect(page).toHaveTitle(new RegExp(`^${words.saved.title} — `))
  await page.getByRole('link', { name: form.t.common.toSignIn }).click()
  await form.enterIdentifier(user.login)
  await form.enterPassword(made)
  await expect(page).toHaveURL('/platform/profile')
})

test('an unknown first-entry link leads to the page for dead links', { tag: '@full' }, async ({ page }) => {
  await page.goto(`/platform/login/password/${crypto.randomUUID()}`)
  await expect(page).toHaveURL('/platform/404?link=firstEntry')
  await page.getByRole('link', { name: form.t['unknown-link'].firstEntry.action }).click()
  await expect(page).toHaveURL('/platform/login')
})
