import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { sessions } from '@/db/schema/entry'
import { userAgreements } from '@/db/schema/people'
import { redisReady } from '@/lib/base/redis/redis'
import { requestSchemas } from '@/lib/sign-in/attempts/requested-schemas'
import { createRole } from '../factories/users'
import { expect, test } from './fixtures'
import { partnersOf, person, speak } from './people'
import { SignInPage } from './sign-in-page'
import { spokenIn } from './spoken'

const { language } = spokenIn(import.meta.filename)
const partners = (page: Page, baseURL?: string) => page.goto(`${partnersOf(baseURL)}/platform/login`)

let form: SignInPage
const codeField = (page: Page) => page.getByLabel(form.t.entry.code.label, { exact: true })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test.beforeEach(async ({ page, context, baseURL }) => {
  await speak(context, language, baseURL)
  form = new SignInPage(page, language)
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

test('a code that can’t be delivered is requested like any other; the page says what to do, and the password works', {
  tag: '@full',
}, async ({ page, database: _ }) => {
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

test('if a second factor can’t be received, the next one is asked for; if none is left, the page says what to do', {
  tag: '@full',
}, async ({ page, outbox, database: _ }) => {
  const other = await person(['credentials'], ['sms_code', 'email_code'], { mobile: null })
  await form.signIn(other.login)
  await expect(heading(page)).toHaveText(form.t.entry.code.email_code.title)
  await codeField(page).fill((await outbox(other.email)).code)
  await expect(page).toHaveURL('/platform/profile')

  await page.goto('about:blank')
  await page.context().clearCookies({ name: 'platform-session' })
  const none = await person(['credentials'], ['sms_code'], { mobile: null })
  await form.signIn(none.login)
  const summary = form.alert(form.t.errors.techErrorTitle)
  await expect(summary).toContainText(form.t.errors.noFlows)
  await expect(summary.getByRole('link').first()).toHaveAttribute('href', '/platform/login')
})

test('two required schemas take three steps, whose state survives a reload', { tag: '@full' }, async ({
  page,
  outbox,
  database: _,
}) => {
  test.skip(process.env.REDIS_URL === 'mock:', 'an imitation of Redis inside the server is out of reach')
  const user = await person(['credentials'], ['sms_code'])
  const requestedSchema = await createRole({ firstFactor: ['credentials'], secondFactor: ['email_code'] })
  const path = `/platform/interaction/${user.login}`
  await redisReady()
  await requestSchemas(path, [requestedSchema])
  await form.open(`?path=${encodeURIComponent(path)}`)
  await form.enterIdentifier(user.login)
  await form.enterPassword()
  await expect(heading(page)).toHaveText(form.t.entry.code.sms_code.title)
  await codeField(page).fill((await outbox(user.mobile)).code)
  await expect(heading(page)).toHaveText(form.t.entry.code.email_code.title)
  await expect(codeField(page)).toBeFocused()
  await page.reload()
  await expect(heading(page)).toHaveText(form.t.entry.code.email_code.title)
  await codeField(page).fill((await outbox(user.email)).code)
  await expect(page).toHaveURL(path)
  const sessionCount = await db().$count(sessions, eq(sessions.userId, user.id))
  expect(sessionCount).toBe(1)
})

test('terms: signing in without the checkbox is refused; the step survives a reload; changed terms are asked for again', async ({
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
  // an open page redirects when its session ends
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
