import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'
import { redis, redisReady } from '@/lib/base/redis/redis'
import { countDaily } from '@/lib/sign-in/codes/daily-limit'
import { freeResend } from '@/lib/sign-in/codes/redis-code'
import { definitions } from '@/lib/site/settings/definitions'
import { expect, test } from './fixtures'
import { person, speak } from './people'
import { choiceOf, handleForms, isForm, SignInPage } from './sign-in-page'
import { spokenIn } from './spoken'

const { language } = spokenIn(import.meta.filename)
const wrong = (code: string) => code.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))
let form: SignInPage
const codeField = (page: Page) => page.getByLabel(form.t.entry.code.label, { exact: true })
const resend = (page: Page) => page.getByRole('button', { name: form.t.entry.code.resend })
const minutesLeft = async (page: Page) => {
  const timer = page.getByRole('timer').filter({ hasText: form.t.entry.code.endsIn })
  const [, minutes, seconds] = /(\d+):(\d\d)/.exec((await timer.textContent()) ?? '') ?? []
  return Number(minutes) + Number(seconds) / 60
}
/** Lets a new code be requested now, on the page and on the server, whose clock no test can change. */
async function passResendTime(page: Page, recipient: string) {
  test.skip(process.env.REDIS_URL === 'mock:', 'an imitation of Redis inside the server is out of reach')
  await redisReady()
  await freeResend(recipient)
  await page.clock.fastForward('00:01:05')
}
/** Stores that this name has requested as many codes by mail as a day allows. */
async function exhaustDay(kind: 'login' | 'email', name: string) {
  const limit = definitions.authCodeDailyLimit.default
  for (let n = 0; n < limit; n++)
    await db().transaction((tx) => countDaily(tx, 'code-asked', `email_code ${kind} ${name}`, limit, new Date()))
}
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
/** Does what opens the page again, on a page whose script has come: under a fake clock, that doesn't read what was typed before. */
async function toNextPage(page: Page, act: () => Promise<void>) {
  await page.waitForLoadState('load')
  const opened = page.waitForEvent('framenavigated')
  await act()
  await opened
  await page.waitForLoadState('load')
}

test.beforeEach(async ({ page, context, baseURL }) => {
  await speak(context, language, baseURL)
  form = new SignInPage(page, language)
})

test('a code by e-mail is sent when the step opens, and accepted at its last digit', async ({
  page,
  outbox,
  database: _,
}) => {
  const user = await person(['email_code', 'credentials'])
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await form.open()
  await form.enterIdentifier(user.email)
  await expect(heading(page)).toHaveText(form.t.entry.code.email_code.title)
  await expect(codeField(page)).toBeFocused()
  await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(codeField(page)).toHaveAttribute('inputmode', 'numeric')
  await expect(page.getByText(form.t.entry.code.resendIn)).toBeVisible()
  const { code, subject } = await outbox(user.email)
  expect(subject).toContain(code)
  let sent = 0
  page.on('request', (request) => void (isForm(request) && sent++))
  await codeField(page).pressSequentially(wrong(code))
  await expect(codeField(page)).toHaveAccessibleDescription(form.t.errors.errorCode)
  const boxes = codeField(page).locator('xpath=ancestor::form').locator('div[aria-hidden=true]').first()
  await expect(boxes).toHaveCSS('animation-name', 'shake')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect(boxes).toHaveCSS('animation-name', 'none')
  await expect(codeField(page)).toHaveValue('')
  await expect(codeField(page)).toBeFocused()
  expect(sent).toBe(1)
  // as it may be copied from a message
  await page.keyboard.insertText(` ${code.slice(0, 3)} ${code.slice(3)}.`)
  await expect(page).toHaveURL('/platform/profile')
  expect(sent).toBe(2)
})

test('the daily limit says once when it ends, holds over a reload, and leaves the other ways open', {
  tag: '@full',
}, async ({ page, database: _ }) => {
  const user = await person(['email_code', 'credentials'])
  await exhaustDay('login', user.login)
  await exhaustDay('email', user.email)
  const limit = form.summary(form.t.entry.code.dailyLimit.title)
  const saysLimit = async () => {
    await expect(limit).toBeFocused()
    await expect(limit).toContainText(form.t.entry.code.dailyLimit.text)
    await expect(limit).toContainText(/\d{1,2}:\d{2}/)
    await expect(limit).not.toContainText(form.t.entry.code.dailyLimit.closed)
    await expect(codeField(page)).toBeHidden()
    await expect(resend(page)).toBeHidden()
  }
  await form.open()
  // the typed identifier is counted, whether or not an account has it
  await form.enterIdentifier(user.login)
  await saysLimit()
  await page.reload()
  await saysLimit()
  await page.getByRole('link', { name: form.t.common.change }).click()
  await form.enterIdentifier(user.email)
  await saysLimit()
  await page.getByRole('button', { name: form.t.entry.flows.credentials }).click()
  await form.enterPassword()
  await expect(page).toHaveURL('/platform/profile')
  expect(await db().select().from(messages).where(eq(messages.recipient, user.email))).toEqual([])
})

test('a code by SMS works, also after switching to another way and after a reload', async ({
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

test('after too many wrong codes only a new code signs in', async ({ page, outbox, database: _ }) => {
  const user = await person(['email_code'])
  await page.clock.install()
  await form.open()
  await form.enterIdentifier(user.login)
  const { code } = await outbox(user.email)
  for (let n = 0; n < 5; n++) {
    await expect(codeField(page)).toBeFocused()
    await toNextPage(page, () => codeField(page).fill(wrong(code)))
  }
  await expect(page.getByRole('alert').filter({ hasText: form.t.errors.errorCodeAttempts }).first()).toBeVisible()
  await expect(codeField(page)).toHaveCount(0)
  await passResendTime(page, `email_code login ${user.login}`)
  await toNextPage(page, () => resend(page).click())
  await expect(page.getByText(form.t.entry.code.email_code.again).first()).toBeVisible()
  await expect(codeField(page)).toBeFocused()
  await expect(codeField(page)).toHaveAccessibleDescription('')
  await codeField(page).fill((await outbox(user.email, 2)).code)
  await expect(page).toHaveURL('/platform/profile')
})

test('an expired code is shown as expired by the clock, and a new one signs in', { tag: '@full' }, async ({
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
  await toNextPage(page, () => resend(page).click())
  await expect(page.getByText(form.t.entry.code.sms_code.again).first()).toBeVisible()
  await codeField(page).fill((await outbox(user.mobile, 2)).code)
  await expect(page).toHaveURL('/platform/profile')
})

test('the page explains what to do if no code arrives; one that the server no longer has is reported as expired, whatever the clock shows', {
  tag: '@full',
}, async ({ page, outbox, database: _ }) => {
  const user = await person(['email_code'])
  await form.open()
  await form.enterIdentifier(user.login)
  await page.getByText(form.t.entry.code.notReceived).click()
  await expect(page.getByText(form.t.entry.code.email_code.advice)).toBeVisible()
  await expect(page.getByText(form.t.entry.code.email_code.nowhere)).toBeVisible()

  test.skip(process.env.REDIS_URL === 'mock:', 'an imitation of Redis inside the server is out of reach')
  const { code } = await outbox(user.email)
  await redisReady()
  await redis().del(await redis().keys('code:email_code:*'))
  await codeField(page).fill(code)
  await expect(page.getByRole('alert').filter({ hasText: form.t.errors.errorCodeExpired }).first()).toBeVisible()
  await expect(page.getByText(form.t.entry.code.resendIn)).toBeVisible()
})

test('countdowns follow the server’s end time, also after a reload and with a wrong clock', { tag: '@full' }, async ({
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

test('if a code was sent from elsewhere a moment ago, the page says so and shows the time until a new one', {
  tag: '@full',
}, async ({ page, context, outbox, database: _ }) => {
  const user = await person(['email_code', 'credentials'])
  await form.open()
  await form.enterIdentifier(user.login)
  await outbox(user.email)
  await context.clearCookies({ name: /attempt/ })
  await form.open()
  await form.enterIdentifier(user.login)
  await expect(page.getByText(form.t.entry.code.elsewhereWait)).toBeVisible()
  await expect(page.getByRole('timer')).toContainText(form.t.entry.code.resendIn)
  await expect(codeField(page)).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('a step that nobody answers ends as a technical error, and what was typed stays', async ({
  page,
  database: _,
}) => {
  const user = await person(['email_code'])
  await page.clock.install()
  await form.open()
  const end = await handleForms(page, () => undefined)
  // the step has its timeout once it is asked
  const step = page.waitForRequest(isForm)
  await form.enterIdentifier(user.login)
  await step
  await page.clock.fastForward(31_000)
  await expect(form.alert(form.t.errors.techErrorTitle)).toBeVisible()
  await expect(form.identifier).toHaveValue(user.login)
  await end()
  await page.getByRole('button', { name: form.t.common.tryAgain }).click()
  await expect(codeField(page)).toBeFocused()
})

test.describe('without an answer of the server', () => {
  test.use({ provoked: /net::ERR_FAILED/ })
  test('the input stays, and the page doesn’t claim that a code was sent', { tag: '@full' }, async ({
    page,
    outbox,
    database: _,
  }) => {
    const user = await person(['email_code'])
    await form.open()
    let end = await handleForms(page, (route) => route.abort())
    await form.enterIdentifier(user.login)
    await expect(form.alert(form.t.errors.techErrorTitle)).toBeVisible()
    await expect(form.identifier).toBeFocused()
    await expect(codeField(page)).toBeHidden()
    await end()
    await page.getByRole('button', { name: form.t.common.tryAgain }).click()
    const { code } = await outbox(user.email)
    end = await handleForms(page, (route) => route.abort())
    await codeField(page).fill(code)
    await expect(form.alert(form.t.errors.techErrorTitle)).toBeVisible()
    await expect(codeField(page)).toHaveValue(code)
    await end()
    await page.getByRole('button', { name: form.t.common.tryAgain }).click()
    await expect(page).toHaveURL('/platform/profile')
  })

  test('another flow and a language are sent again as they were chosen', async ({ page, database: _ }) => {
    const [other, name] = form.language === 'ru' ? (['en', 'English'] as const) : (['ru', 'Русский'] as const)
    const again = page.getByRole('button', { name: form.t.common.tryAgain })
    const failing = async (click: () => Promise<void>) => {
      await page.route('**/platform/**', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      )
      await click()
      await expect(form.alert(form.t.errors.techErrorTitle)).toContainText(form.t.errors.offline)
      await expect(again).toBeInViewport()
      await page.unrouteAll()
    }
    await form.open()
    await form.enterIdentifier((await person(['credentials', 'sms_code'])).login)
    await expect(form.passwordField).toBeFocused()
    await failing(() => form.enterPassword())
    // what could not be typed into before still can't be
    await expect(page.locator('input[name=username]')).toHaveAttribute('readonly')
    await expect(form.passwordField).toBeEditable()
    await failing(() => page.getByRole('button', { name: form.t.entry.flows.sms_code }).click())
    await again.click()
    await expect(heading(page)).toHaveText(form.t.entry.code.sms_code.title)
    await failing(async () => {
      await choiceOf(page, form.t.common.chooseLanguage.split(':')[0] ?? '').click()
      await page.getByRole('button', { name }).click()
    })
    await again.click()
    await expect(page.locator('html')).toHaveAttribute('lang', other)
  })
})

test('an answer of the server that leads nowhere has a text of its own, and its reference', async ({ page }) => {
  await form.open()
  const end = await handleForms(page, (route) =>
    route.fulfill({
      status: 403,
      contentType: 'text/html',
      headers: { 'x-request-id': 'request-1' },
      body: '<p>no</p>',
    }),
  )
  await form.enterIdentifier('somebody')
  const alert = form.alert(form.t.errors.techErrorTitle)
  await expect(alert).toContainText(form.t.errors.techError)
  await expect(alert).toContainText('request-1')
  await expect(page.getByText(form.t.errors.offline)).toHaveCount(0)
  await end()
  await page.getByRole('button', { name: form.t.common.tryAgain }).click()
  await expect(form.identifier).toHaveCount(0)
})
