import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { dailyCounters, sessions } from '@/db/schema/entry'
import { messages } from '@/db/schema/operations'
import { userAgreements } from '@/db/schema/people'
import { countDaily } from '@/lib/entry/codes/daily-limit'
import { freeResend } from '@/lib/entry/codes/redis-code'
import { wantSchemas } from '@/lib/entry/sign-in/wanted'
import { redis, redisReady } from '@/lib/kernel/redis'
import { definitions } from '@/lib/platform/settings/definitions'
import { createRole } from '../factories/users'
import { expect, test } from './fixtures'
import { partnersOf, person, speak } from './people'
import { languages, SignInPage } from './sign-in-page'

const wrong = (code: string) => code.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))
const partners = (page: Page, baseURL?: string) => page.goto(`${partnersOf(baseURL)}/platform/login`)

for (const language of languages)
  test.describe(`codes and terms in ${language}`, () => {
    let form: SignInPage
    const codeField = (page: Page) => page.getByLabel(form.t.entry.code.label, { exact: true })
    const resend = (page: Page) => page.getByRole('button', { name: form.t.entry.code.resend })
    const minutesLeft = async (page: Page) => {
      const timer = page.getByRole('timer').filter({ hasText: form.t.entry.code.endsIn })
      const [, minutes, seconds] = /(\d+):(\d\d)/.exec((await timer.textContent()) ?? '') ?? []
      return Number(minutes) + Number(seconds) / 60
    }
    /** A new code may be asked for now: on the page and on the server, whose clock no test can move. */
    async function passResendTime(page: Page, recipient: string) {
      test.skip(process.env.REDIS_URL === 'mock:', 'an imitation of Redis inside the server is out of reach')
      await redisReady()
      await freeResend(recipient)
      await page.clock.fastForward('00:01:05')
    }
    /** As many mails with codes as a day allows have been asked for by this name. */
    async function exhaustDay(kind: 'login' | 'email', name: string) {
      const limit = definitions.authCodeDailyLimit.default
      for (let n = 0; n < limit; n++)
        await db().transaction((tx) => countDaily(tx, 'code-asked', `email_code ${kind} ${name}`, limit, new Date()))
    }
    const heading = (page: Page) => page.getByRole('heading', { level: 1 })

    test.beforeEach(async ({ page, context, baseURL }) => {
      await speak(context, language, baseURL)
      form = new SignInPage(page, language)
    })

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

    test('attempts used up: only a new code helps, which signs in', async ({ page, outbox, database: _ }) => {
      const user = await person(['email_code'])
      await page.clock.install()
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
      await page.getByRole('button', { name: form.t.common.continue }).click()
      await expect(codeField(page)).toHaveAccessibleDescription(form.t.errors.errorCodeAttempts)
      await passResendTime(page, `email_code login ${user.login}`)
      await resend(page).click()
      await expect(page.getByText(form.t.entry.code.email_code.again).first()).toBeVisible()
      await expect(codeField(page)).toBeFocused()
      await expect(codeField(page)).toHaveAccessibleDescription('')
      await codeField(page).fill((await outbox(user.email, 2)).code)
      await expect(page).toHaveURL('/platform/profile')
    })

    test('a code whose time is over says so by the clock, and a new one signs in', async ({
      page,
      outbox,
      database: _,
    }) => {
      const user = await person(['sms_code'])
      await page.clock.install()
      await form.open()
      await form.enterIdentifier(user.login)
      await expect(page.getByText(form.t.entry.code.resendIn)).toBeVisible()
      await outbox(user.mobile)
      await page.clock.fastForward('00:01:05')
      await expect(resend(page)).toBeVisible()
      await page.clock.fastForward('00:10:00')
      await expect(codeField(page)).toHaveAccessibleDescription(form.t.errors.errorCodeExpired)
      await passResendTime(page, `sms_code login ${user.login}`)
      await resend(page).click()
      await expect(page.getByText(form.t.entry.code.sms_code.again).first()).toBeVisible()
      await codeField(page).fill((await outbox(user.mobile, 2)).code)
      await expect(page).toHaveURL('/platform/profile')
    })

    test('a code that the server no longer has: expired, though the clock says otherwise', async ({
      page,
      outbox,
      database: _,
    }) => {
      test.skip(process.env.REDIS_URL === 'mock:', 'an imitation of Redis inside the server is out of reach')
      const user = await person(['email_code'])
      await form.open()
      await form.enterIdentifier(user.login)
      const { code } = await outbox(user.email)
      await redisReady()
      await redis().del(await redis().keys('code:email_code:*'))
      await codeField(page).fill(code)
      await expect(codeField(page)).toHaveAccessibleDescription(form.t.errors.errorCodeExpired)
    })

    test('the countdowns follow the server’s end time: over a reload, and on a clock that is wrong', async ({
      page,
      database: _,
    }) => {
      const user = await person(['email_code'])
      await page.clock.install({ time: Date.now() + 3 * 3_600_000 })
      await form.open()
      await form.enterIdentifier(user.login)
      await expect(page.getByText(form.t.entry.code.resendIn)).toBeVisible()
      const before = await minutesLeft(page)
      expect(before).toBeGreaterThan(9)
      expect(before).toBeLessThan(10.2)
      await page.reload()
      await expect(page.getByText(form.t.entry.code.resendIn)).toBeVisible()
      expect(await minutesLeft(page)).toBeLessThan(before + 0.1)
      await page.clock.fastForward('00:05:00')
      await expect.poll(() => minutesLeft(page)).toBeLessThan(before - 4.9)
    })

    test('the daily limit names its 24 hours, holds over a reload, and leaves the other ways open', async ({
      page,
      database: _,
    }) => {
      const user = await person(['email_code', 'credentials'])
      await exhaustDay('login', user.login)
      await exhaustDay('email', user.email)
      const limit = form.summary(form.t.entry.code.dailyLimit.title)
      const told = async () => {
        await expect(limit).toBeFocused()
        await expect(limit).toContainText(form.t.entry.code.dailyLimit.text)
        await expect(limit).toContainText(/\b24\b.*\d{1,2}:\d{2}/s)
        await expect(codeField(page)).toBeHidden()
        await expect(resend(page)).toBeHidden()
      }
      await form.open()
      // counted by what was typed, whoever has that name
      await form.enterIdentifier(user.login)
      await told()
      await page.reload()
      await told()
      await page.getByRole('button', { name: form.t.common.change }).click()
      await form.enterIdentifier(user.email)
      await told()
      await page.getByRole('button', { name: form.t.entry.flows.credentials }).click()
      await form.enterPassword()
      await expect(page).toHaveURL('/platform/profile')
      expect(await db().select().from(messages).where(eq(messages.recipient, user.email))).toEqual([])
    })

    test('a code sent elsewhere a moment ago: said, with the time until a new one', async ({
      page,
      context,
      outbox,
      database: _,
    }) => {
      const user = await person(['email_code', 'credentials'])
      await form.open()
      await form.enterIdentifier(user.login)
      await outbox(user.email)
      await context.clearCookies({ name: /attempt/ })
      await form.open()
      await form.enterIdentifier(user.login)
      await expect(page.getByText(form.t.entry.code.elsewhere)).toBeVisible()
      await expect(page.getByRole('timer')).toContainText(form.t.entry.code.resendIn)
      await expect(codeField(page)).toBeHidden()
    })

    test.describe('without an answer', () => {
      test.use({ provoked: /net::ERR_FAILED/ })
      test('what was typed stays, and no code is said to be sent', async ({ page, outbox, database: _ }) => {
        const user = await person(['email_code'])
        await page.route('**/auth/code/**', (route) => route.abort())
        await form.open()
        await form.enterIdentifier(user.login)
        await expect(form.summary(form.t.errors.techErrorTitle)).toBeFocused()
        await expect(codeField(page)).toBeHidden()
        await page.unroute('**/auth/code/**')
        await resend(page).click()
        const { code } = await outbox(user.email)
        await page.route('**/auth/login/**', (route) => route.abort())
        await codeField(page).fill(code)
        await expect(form.summary(form.t.errors.techErrorTitle)).toBeFocused()
        await expect(codeField(page)).toHaveValue(code)
        await page.unroute('**/auth/login/**')
        await page.getByRole('button', { name: form.t.common.continue }).click()
        await expect(page).toHaveURL('/platform/profile')
      })
    })

    test('not received: what to do', async ({ page, database: _ }) => {
      const user = await person(['email_code'])
      await form.open()
      await form.enterIdentifier(user.login)
      await page.getByText(form.t.entry.code.notReceived).click()
      await expect(page.getByText(form.t.entry.code.email_code.advice)).toBeVisible()
      await expect(page.getByText(form.t.entry.code.email_code.nowhere)).toBeVisible()
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

    test('a code that can’t reach anybody: asked for like any other, with what to do, and the password leads on', async ({
      page,
      database: _,
    }) => {
      const user = await person(['sms_code', 'credentials'], [], { mobile: null })
      await form.open()
      await form.enterIdentifier(user.login)
      await expect(heading(page)).toHaveText(form.t.entry.code.sms_code.title)
      await expect(page.getByText(form.t.entry.code.resendIn)).toBeVisible()
      await page.getByText(form.t.entry.code.notReceived).click()
      await expect(page.getByText(form.t.entry.code.sms_code.nowhere)).toBeVisible()
      await codeField(page).fill('0000')
      await expect(codeField(page)).toHaveAccessibleDescription(form.t.errors.errorCode)
      await page.getByRole('button', { name: form.t.entry.flows.credentials }).click()
      await form.enterPassword()
      await expect(page).toHaveURL('/platform/profile')
    })

    test('a second factor that can’t be received falls to the next; with none left, what to do is said', async ({
      page,
      outbox,
      database: _,
    }) => {
      const other = await person(['credentials'], ['sms_code', 'email_code'], { mobile: null })
      await form.signIn(other.login)
      await expect(heading(page)).toHaveText(form.t.entry.code.email_code.title)
      await codeField(page).fill((await outbox(other.email)).code)
      await expect(page).toHaveURL('/platform/profile')

      await page.goto('about:blank')
      await page.context().clearCookies({ name: 'platform-session' })
      const none = await person(['credentials'], ['sms_code'], { mobile: null })
      await form.signIn(none.login)
      const summary = form.summary(form.t.errors.techErrorTitle)
      await expect(summary).toBeFocused()
      await expect(summary).toContainText(form.t.errors.noFlows)
      await expect(summary.getByRole('link')).toHaveAttribute('href', '/platform/login')
    })

    test('two demands in three steps: each in its place, over a reload too', async ({ page, outbox, database: _ }) => {
      test.skip(process.env.REDIS_URL === 'mock:', 'an imitation of Redis inside the server is out of reach')
      const user = await person(['credentials'], ['sms_code'])
      const wanted = await createRole({ firstFactor: ['credentials'], secondFactor: ['email_code'] })
      const path = `/platform/interaction/${user.login}`
      await redisReady()
      await wantSchemas(path, [wanted])
      await form.open(`?path=${encodeURIComponent(path)}`)
      await form.enterIdentifier(user.login)
      await form.enterPassword()
      await expect(heading(page)).toHaveText(form.t.entry.code.sms_code.title)
      await codeField(page).fill((await outbox(user.mobile)).code)
      await expect(heading(page)).toHaveText(form.t.entry.code.email_code.title)
      await expect(heading(page)).toBeFocused()
      await page.reload()
      await expect(heading(page)).toHaveText(form.t.entry.code.email_code.title)
      await codeField(page).fill((await outbox(user.email)).code)
      await expect(page).toHaveURL(path)
      const own = await db().$count(sessions, eq(sessions.userId, user.id))
      expect(own).toBe(1)
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
      // an open page leaves by itself when its session is gone
      await page.goto('about:blank')
      await page.context().clearCookies({ name: 'platform-session' })
      await partners(page, baseURL)
      await form.enterIdentifier(user.login)
      await form.enterPassword()
      await expect(heading(page)).toHaveText(form.t.entry.terms.title)
      await page.getByRole('checkbox').check()
      await accept.click()
      await expect(page).toHaveURL(/\/platform\/profile$/)
      expect(await db().select().from(userAgreements).where(eq(userAgreements.userId, user.id))).toHaveLength(2)
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

        await page.context().clearCookies({ name: 'platform-attempt' })
        const limited = await person(['email_code', 'credentials'])
        await exhaustDay('login', limited.login)
        await form.open()
        await form.enterIdentifier(limited.login)
        await expect(form.summary(form.t.entry.code.dailyLimit.title)).toBeVisible()
        await check()
        await page.context().clearCookies({ name: 'platform-attempt' })
        const asked = await person(['credentials'])
        await partners(page, baseURL)
        await form.enterIdentifier(asked.login)
        await form.enterPassword()
        await expect(heading(page)).toHaveText(form.t.entry.terms.title)
        await page.getByRole('button', { name: form.t.entry.terms.accept }).click()
        await check()
      })
  })
