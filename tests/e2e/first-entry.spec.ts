import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { links } from '@/db/schema/entry'
import { users } from '@/db/schema/people'
import { expect, test } from './fixtures'
import { person, speak } from './people'
import { languages, password, SignInPage } from './sign-in-page'

for (const language of languages)
  test.describe(`first entry in ${language}`, () => {
    let form: SignInPage
    const heading = (page: Page) => page.getByRole('heading', { level: 1 })
    const field = (page: Page, name: 'password' | 'repeat') =>
      page.getByLabel(form.t.entry.password[name], { exact: true })
    const save = (page: Page) => page.getByRole('button', { name: form.t.entry.password.save })

    test.beforeEach(async ({ page, context, baseURL }) => {
      await speak(context, language, baseURL)
      form = new SignInPage(page, language)
    })

    /** Opens the page of the first password for a new account. */
    async function arrive(page: Page) {
      const user = await person(['credentials'], [], { passwordChangeRequired: true })
      await form.signIn(user.login)
      await expect(heading(page)).toHaveText(form.t.entry.password.title)
      return user
    }

    test('the rules are checked while the person types, Generate works, and saving leads to the profile', async ({
      page,
      database: _,
    }) => {
      const words = form.t.entry.password
      const user = await person(['credentials'], [], { passwordChangeRequired: true })
      await form.signIn(user.login)
      await expect(heading(page)).toHaveText(words.title)
      const fresh = page.getByLabel(words.password, { exact: true })
      const repeat = page.getByLabel(words.repeat, { exact: true })
      const rule = page.getByRole('listitem').filter({ hasText: words.rules.uppercase })
      await fresh.fill('abc')
      await expect(rule).toContainText(words.failed)
      await fresh.fill('Abc')
      await expect(rule).toContainText(words.passed)
      await page.getByRole('button', { name: words.save }).click()
      await expect(fresh).toHaveAccessibleDescription(new RegExp(form.t.errors.errorPasswordRules))
      await fresh.fill(`${password}x`)
      await repeat.fill(`${password}y`)
      await page.getByRole('button', { name: words.save }).click()
      await expect(repeat).toHaveAccessibleDescription(form.t.errors.errorMatch)
      await page.getByRole('button', { name: words.generate }).click()
      const generated = await fresh.inputValue()
      expect(generated.length).toBeGreaterThanOrEqual(8)
      await expect(repeat).toHaveValue(generated)
      const address = page.url()
      await page.getByRole('button', { name: words.save }).click()
      await expect(page).toHaveURL('/platform/profile')
      await page.goto(address)
      await expect(heading(page)).toHaveText(words.dead.linkUsed.title)
      const [row] = await db().select().from(users).where(eq(users.id, user.id))
      expect(row?.passwordChangeRequired).toBe(false)
    })

    // the other tests differ only in their texts, which the sweep checks in both languages
    if (language !== 'ru') return

    test('an unknown first-entry link leads to the page for dead links', async ({ page }) => {
      await page.goto(`/platform/login/password/${crypto.randomUUID()}`)
      await expect(page).toHaveURL('/platform/404?link=firstEntry')
      await page.getByRole('link', { name: form.t['unknown-link'].firstEntry.action }).click()
      await expect(page).toHaveURL('/platform/login')
    })

    test('the server refuses the previous password with its own message', async ({ page, database: _ }) => {
      await arrive(page)
      await field(page, 'password').fill(password)
      await field(page, 'repeat').fill(password)
      await save(page).click()
      const summary = form.summary(form.t.errors.errorFields)
      await expect(summary).toBeFocused()
      await expect(field(page, 'password')).toHaveAccessibleDescription(new RegExp(form.t.errors.errorPasswordSame))
      await summary.getByRole('link').click()
      await expect(field(page, 'password')).toBeFocused()
    })

    test('an expired, canceled or just deleted link says why it is dead and what to do', async ({
      page,
      database: _,
    }) => {
      const user = await arrive(page)
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

    test('a person who is signed in as somebody else can sign out to open the link, and then signs in with the new password', async ({
      page,
      context,
      database: _,
    }) => {
      const words = form.t.entry.password
      const user = await arrive(page)
      const address = page.url()
      await context.clearCookies({ name: /attempt/ })
      await form.signIn('no-services')
      await expect(page).toHaveURL('/platform/profile')
      await page.goto(address)
      await expect(heading(page)).toHaveText(words.dead.accessError.title)
      await page.getByRole('button', { name: words.dead.signOut }).click()
      await expect(heading(page)).toHaveText(words.title)
      await page.getByRole('button', { name: words.generate }).click()
      const made = await field(page, 'password').inputValue()
      await save(page).click()
      await expect(heading(page)).toHaveText(words.saved.title)
      await expect(heading(page)).toBeFocused()
      await page.getByRole('link', { name: form.t.common.toSignIn }).click()
      await form.enterIdentifier(user.login)
      await form.enterPassword(made)
      await expect(page).toHaveURL('/platform/profile')
    })

    test('password managers find the account and the new password', async ({ page, database: _ }) => {
      const user = await arrive(page)
      const account = page.locator('form input[name=username]')
      await expect(account).toHaveValue(user.login)
      await expect(account).toHaveAttribute('autocomplete', 'username')
      expect(await account.boundingBox()).not.toBeNull()
      for (const name of ['password', 'repeat'] as const)
        await expect(field(page, name)).toHaveAttribute('autocomplete', 'new-password')
    })
  })
