import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { dailyCounters } from '@/db/schema/entry'
import { userAgreements, users } from '@/db/schema/people'
import { hashPassword } from '@/lib/kernel/crypto/password'
import { createRole, createUser } from '../factories/users'
import { expect, test } from './fixtures'
import { languages, password, SignInPage } from './sign-in-page'

const wrong = (code: string) => code.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))
const partners = (page: Page, baseURL = '') =>
  page.goto(`${baseURL.replace('localhost', 'partners.localhost')}/platform/login`)

for (const language of languages)
  test.describe(`codes, terms and first entry in ${language}`, () => {
    let form: SignInPage
    const codeField = (page: Page) => page.getByLabel(form.t.entry.code.label, { exact: true })
    const heading = (page: Page) => page.getByRole('heading', { level: 1 })

    test.beforeEach(async ({ page, context, baseURL }) => {
      for (const url of [baseURL ?? '', (baseURL ?? '').replace('localhost', 'partners.localhost')])
        await context.addCookies([{ name: 'locale', value: language, url }])
      form = new SignInPage(page, language)
    })

    /** An account that signs in by these flows. The page's server keeps schemas for a while, so there is one role a set. */
    async function person(
      firstFactor: string[],
      secondFactor: string[] = [],
      wishes: Parameters<typeof createUser>[0] = {},
    ) {
      const role = await createRole({ firstFactor, secondFactor })
      return createUser({
        roles: ['user', role],
        passwordHash: await hashPassword(password),
        locale: language,
        ...wishes,
      })
    }

    test('a code by e-mail: sent when the step opens, taken at the last digit', async ({
      page,
      outbox,
      database: _,
    }) => {
      const user = await person(['email_code', 'credentials'])
      await form.open()
      await form.enterIdentifier(user.email)
      await expect(heading(page)).toHaveText(form.t.entry.code.email_code.title)
      await expect(heading(page)).toBeFocused()
      await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code')
      await expect(codeField(page)).toHaveAttribute('inputmode', 'numeric')
      await expect(page.getByText(form.t.entry.code.resendIn)).toBeVisible()
      const { code, subject } = await outbox(user.email)
      expect(subject).toContain(code)
      let sent = 0
      page.on('request', (request) => void (request.url().includes('/auth/login/') && sent++))
      await codeField(page).pressSequentially(wrong(code))
      await expect(codeField(page)).toHaveAccessibleDescription(form.t.errors.errorCode)
      await expect(codeField(page)).toHaveValue('')
      await expect(codeField(page)).toBeFocused()
      expect(sent).toBe(1)
      await codeField(page).fill(code)
      await expect(page).toHaveURL('/platform/profile')
      expect(sent).toBe(2)
    })

    test('a code by SMS, the other way to sign in, and reload within the step', async ({
      page,
      outbox,
      database: _,
    }) => {
      const user = await person(['sms_code', 'credentials'])
      await form.open()
      await form.enterIdentifier(user.login)
      await expect(heading(page)).toHaveText(form.t.entry.code.sms_code.title)
      const { code } = await outbox(user.mobile)
      await page.reload()
      await expect(heading(page)).toHaveText(form.t.entry.code.sms_code.title)
      await expect(page.getByText(form.t.entry.code.resendIn)).toBeVisible()
      await page.getByRole('button', { name: form.t.entry.flows.credentials }).click()
      await expect(form.passwordField).toBeVisible()
      await page.getByRole('button', { name: form.t.entry.flows.sms_code }).click()
      await codeField(page).fill(code)
      await expect(page).toHaveURL('/platform/profile')
    })

    test('attempts used up: only a new code helps, which can be asked for', async ({ page, outbox, database: _ }) => {
      const user = await person(['email_code'])
      await form.open()
      await form.enterIdentifier(user.login)
      const { code } = await outbox(user.email)
      for (let n = 0; n < 5; n++) {
        const answered = page.waitForResponse(/auth\/login/)
        await codeField(page).fill(wrong(code))
        await answered
        await expect(codeField(page)).toHaveValue('')
      }
      await expect(codeField(page)).toHaveAccessibleDescription(form.t.errors.errorCodeAttempts)
    })

    test('a code whose time is over says so by the clock', async ({ page, database: _ }) => {
      const user = await person(['email_code'])
      await page.clock.install()
      await form.open()
      await form.enterIdentifier(user.login)
      await expect(page.getByText(form.t.entry.code.resendIn)).toBeVisible()
      await page.clock.fastForward('00:01:05')
      await expect(page.getByRole('button', { name: form.t.entry.code.resend })).toBeVisible()
      await page.clock.fastForward('00:10:00')
      await expect(codeField(page)).toHaveAccessibleDescription(form.t.errors.errorCodeExpired)
    })

    test('the daily limit names its 24 hours', async ({ page, database: _ }) => {
      const user = await person(['email_code', 'credentials'])
      await page.route('**/auth/code/**', (route) =>
        route.fulfill({ status: 429, headers: { 'retry-after': '86400' }, json: { code: 'codeDailyLimit', data: {} } }),
      )
      await form.open()
      await form.enterIdentifier(user.login)
      await expect(form.summary(form.t.errors.codeDailyLimit)).toBeVisible()
      expect(form.t.errors.codeDailyLimit).toContain('24')
      await page.getByRole('button', { name: form.t.entry.flows.credentials }).click()
      await expect(form.passwordField).toBeVisible()
    })

    test('not received: what to do', async ({ page, database: _ }) => {
      const user = await person(['email_code'])
      await form.open()
      await form.enterIdentifier(user.login)
      await page.getByText(form.t.entry.code.notReceived).click()
      await expect(page.getByText(form.t.entry.code.email_code.advice)).toBeVisible()
    })

    test('two factors: the password, then a code', async ({ page, outbox, database: _ }) => {
      const user = await person(['credentials'], ['email_code'])
      await form.signIn(user.login)
      await expect(heading(page)).toHaveText(form.t.entry.code.email_code.title)
      await page.reload()
      await expect(heading(page)).toHaveText(form.t.entry.code.email_code.title)
      const { code } = await outbox(user.email)
      await codeField(page).fill(code)
      await expect(page).toHaveURL('/platform/profile')
    })

    test('terms: refused without the tick, kept over a reload, accepted, and asked for again when they change', async ({
      page,
      baseURL,
      database: _,
    }) => {
      const user = await person(['credentials'])
      await partners(page, baseURL)
      await form.enterIdentifier(user.login)
      await form.enterPassword()
      await expect(heading(page)).toHaveText(form.t.entry.terms.title)
      const accept = page.getByRole('button', { name: form.t.entry.terms.accept })
      await accept.click()
      await expect(page.getByRole('checkbox')).toHaveAccessibleDescription(form.t.errors.errorTerms)
      await page.reload()
      await expect(heading(page)).toHaveText(form.t.entry.terms.title)
      await page.getByRole('checkbox').check()
      await accept.click()
      await expect(page).toHaveURL(/\/platform\/profile$/)
      const agreed = await db().select().from(userAgreements).where(eq(userAgreements.userId, user.id))
      expect(agreed).toHaveLength(1)
      // as if the text had been agreed to in an earlier version
      await db().update(userAgreements).set({ version: 1000 }).where(eq(userAgreements.userId, user.id))
      await page.context().clearCookies({ name: 'session' })
      await partners(page, baseURL)
      await form.enterIdentifier(user.login)
      await form.enterPassword()
      await expect(heading(page)).toHaveText(form.t.entry.terms.title)
    })

    test('the first entry: rules marked as one types, Generate, and on to the profile', async ({
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

    test('a first-entry link that is of no use says why and what to do', async ({ page }) => {
      await page.goto(`/platform/login/password/${crypto.randomUUID()}`)
      await expect(heading(page)).toHaveText(form.t.entry.password.dead.notFound.title)
      await page.getByRole('link', { name: form.t.common.toSignIn }).click()
      await expect(page).toHaveURL('/platform/login')
    })

    for (const colorScheme of ['light', 'dark'] as const)
      test(`axe finds nothing on these steps, and nothing is cut off, ${colorScheme}`, async ({
        page,
        axe,
        baseURL,
        database: _,
      }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await db().delete(dailyCounters)
        const check = async () => {
          for (const width of [1440, 320]) {
            await page.setViewportSize({ width, height: 800 })
            expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
          }
          await axe(page)
        }
        const coded = await person(['email_code', 'sms_code', 'credentials'])
        await form.open()
        await form.enterIdentifier(coded.login)
        await expect(page.getByText(form.t.entry.code.resendIn)).toBeVisible()
        await check()
        await codeField(page).fill('0000')
        await expect(codeField(page)).toHaveAttribute('aria-invalid', 'true')
        await check()

        const first = await person(['credentials'], [], { passwordChangeRequired: true })
        await page.context().clearCookies({ name: 'attempt' })
        await form.signIn(first.login)
        await expect(heading(page)).toHaveText(form.t.entry.password.title)
        await check()

        const asked = await person(['credentials'])
        await partners(page, baseURL)
        await form.enterIdentifier(asked.login)
        await form.enterPassword()
        await expect(heading(page)).toHaveText(form.t.entry.terms.title)
        await page.getByRole('button', { name: form.t.entry.terms.accept }).click()
        await check()
      })
  })
