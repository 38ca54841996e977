import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { links } from '@/db/schema/entry'
import { providers, userAgreements, users } from '@/db/schema/people'
import { redisReady } from '@/lib/base/redis/redis'
import { countDaily } from '@/lib/sign-in/codes/daily-limit'
import { freeResend } from '@/lib/sign-in/codes/redis-code'
import { definitions } from '@/lib/site/settings/definitions'
import { createUser } from '../factories/users'
import { expect, test } from './fixtures'
import { withoutScripts } from './late-scripts'
import { partnersOf, speak } from './people'
import { newEmail, newNumber, pathIn, RegistrationPage } from './registration-page'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

const { language } = spokenIn(import.meta.filename)
const wrong = (code: string) => code.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))
const userOf = async (email: string) => (await db().select().from(users).where(eq(users.email, email)))[0]
const linkOf = (email: string, values: Partial<typeof links.$inferInsert>) =>
  db().update(links).set(values).where(eq(links.email, email))

let form: RegistrationPage

test.beforeEach(async ({ page, context, baseURL }) => {
  await speak(context, language, baseURL)
  form = new RegistrationPage(page, language)
})

test('from the sign-in page to the profile: a link, a password, a mobile with its code', async ({
  page,
  context,
  outbox,
}) => {
  const { registration, entry, person } = form.t
  const email = newEmail()
  await page.goto('/platform/login')
  const words = registration.invite.replace(/.*<link>|<\/link>.*/g, '')
  await page.getByRole('link', { name: words, exact: true }).click()
  await expect(page).toHaveURL('/platform/registration')
  await expect(page).toHaveTitle(new RegExp(`^${form.t.shell.screens.RegistrationStepOne} — `))
  await expect(form.fio).toHaveAttribute('autocomplete', 'name')
  await expect(form.email).toHaveAttribute('autocomplete', 'email')
  await form.ask(email)
  await expect(form.heading).toHaveText(registration.sent.title)
  await expect(form.heading).toBeFocused()
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByRole('timer')).toContainText(registration.sent.resendIn)
  await page.getByText(registration.sent.notReceived).click()
  await expect(page.getByText(registration.sent.advice)).toBeVisible()
  // back to the form, which keeps its input
  await form.button(registration.sent.change).click()
  await expect(form.email).toHaveValue(email)
  await expect(form.fio).toHaveValue(form.t.name)
  await form.button(registration.submit).click()
  await expect(page.getByText(registration.sent.lead.split('<email>')[0] ?? '')).toBeVisible()

  const path = pathIn((await outbox(email)).text)
  // a scanner opens the link first
  for (let n = 0; n < 2; n++) expect((await page.request.get(path)).status()).toBe(200)
  const tab = await context.newPage()
  const second = form.in(tab)
  await tab.goto(path)
  await expect(second.heading).toHaveText(registration.finish.mobile.title)
  await expect(tab.getByText(email)).toBeVisible()
  await expect(second.mobile).toBeFocused()
  await expect(second.mobile).toHaveAttribute('autocomplete', 'tel-national')
  const number = newNumber()
  await second.mobile.fill(number)
  await second.button(person.getCode).click()
  await expect(second.code).toBeFocused()
  const { code } = await outbox(`+7${number}`)
  // a valid code, and later a proven mobile, survive a reload
  await tab.reload()
  await expect(second.code).toBeVisible()
  await second.code.fill(wrong(code))
  await expect(second.code).toHaveAccessibleDescription(form.t.errors.errorCode)
  await second.code.fill(code)
  await expect(second.heading).toHaveText(registration.finish.title)
  await expect(tab.getByText(person.verified)).toBeVisible()
  await tab.reload()
  await expect(tab.getByText(person.verified)).toBeVisible()
  await expect(tab.getByText(email)).toBeVisible()
  await expect(tab.locator('form input[name=username]')).toHaveValue(email)
  await expect(second.password).toHaveAttribute('autocomplete', 'new-password')
  await tab.getByRole('listitem').filter({ hasText: entry.password.rules.uppercase }).waitFor()
  await second.generate()
  await second.finish()
  await expect(tab).toHaveURL('/platform/profile')
  expect(await userOf(email)).toMatchObject({ mobile: `+7${number}`, locale: language })
  await outbox(email, 2)
  // going back does no harm, and the link is used up
  await tab.goBack()
  await expect(second.heading).toHaveText(registration.dead.linkUsed.title)
  await tab.getByRole('link', { name: form.t.common.toSignIn }).click()
  await expect(tab).toHaveURL(/\/platform\/profile/)
})

test('the first step shows the errors of the browser and those of the server', {
  tag: '@full',
}, async ({ page, baseURL, database: _ }) => {
  const { registration, errors } = form.t
  await form.open(partnersOf(baseURL))
  const terms = page.getByRole('checkbox')
  await form.button(registration.submit).click()
  const fields = form.summary(registration.errorFieldsTitle)
  await expect(fields).toBeFocused()
  await expect(fields).toContainText(registration.errorFieldsText)
  await expect(form.fio).toHaveAccessibleDescription(new RegExp(errors.errorEmpty))
  await expect(form.email).toHaveAccessibleDescription(errors.errorEmpty)
  await expect(terms).toHaveAccessibleDescription(errors.errorTerms)
  await fields.getByRole('link').nth(1).click()
  await expect(form.email).toBeFocused()
  await terms.check()
  await form.ask('name@polaris')
  await expect(form.email).toHaveAccessibleDescription(errors.errorEmail)
  await expect(fields).toBeFocused()

  // the agreement has changed since the page was rendered
  await page.locator('[name=document]').evaluate((field: HTMLInputElement) => {
    const older = field.value.replace(/\d+$/, '1000')
    const box = document.querySelector<HTMLInputElement>('[name=agreed]')
    if (box) box.value = older
    field.value = older
  })
  const email = newEmail()
  await form.ask(email)
  await expect(terms).toHaveAccessibleDescription(errors.errorTerms)
  await expect(fields).toContainText(errors.errorTerms.slice(1))
  await expect(form.email).toHaveValue(email)
  await terms.check()
  await form.ask(email)
  await expect(form.heading).toHaveText(registration.sent.title)

  // the form has nothing to correct
  await form.open()
  const provider = { type: 'keycloak' as const, name: newEmail(), url: '', clientId: '', clientSecret: '' }
  const claimed = `${randomUUID()}.corp.example`
  await db()
    .insert(providers)
    .values({ ...provider, enabled: true, emailDomains: [claimed] })
  await form.ask(`anna@${claimed}`)
  const request = form.summary(registration.errorRequestTitle)
  await expect(request).toBeFocused()
  await expect(request).toContainText(registration.directoryAccount)
  await db().delete(providers).where(eq(providers.name, provider.name))
  const limited = newEmail()
  const limit = definitions.authCodeDailyLimit.default
  for (let n = 0; n <= limit; n++)
    await db().transaction((tx) => countDaily(tx, 'registration-email', limited, limit, new Date()))
  await form.ask(limited)
  await expect(request).toContainText(errors.registrationEmailLimitUntil.split('{')[0] ?? '')
})

test('after a second request a new mail comes, and the earlier link says that it was replaced', {
  tag: '@full',
}, async ({ page, outbox }) => {
  test.skip(process.env.REDIS_URL === 'mock:', 'an imitation of Redis inside the server is out of reach')
  const { registration } = form.t
  const email = newEmail()
  await page.clock.install()
  await form.open()
  await form.ask(email)
  await expect(page.getByRole('timer')).toBeVisible()
  const first = pathIn((await outbox(email)).text)
  // a second request within the same second counts as the first
  const sentAt = Date.now()
  await expect.poll(() => Date.now() - sentAt).toBeGreaterThan(1000)
  await redisReady()
  await freeResend(`registration ${email}`)
  await page.clock.fastForward('00:01:05')
  await form.button(registration.sent.resend).click()
  const again = registration.sent.again.split('<email>')[0] ?? ''
  await expect(page.getByText(again)).toBeVisible()
  const path = pathIn((await outbox(email, 2)).text)
  await page.goto(first)
  await expect(form.heading).toHaveText(registration.dead.canceledError.title)
  await page.goto(path)
  await expect(form.heading).toHaveText(registration.finish.mobile.title)
  expect(await userOf(email)).toBeUndefined()
})

test('each dead link says why it is dead and what to do', { tag: '@full' }, async ({ page, context, outbox }) => {
  const { dead } = form.t.registration
  await page.goto(`/platform/registration/${crypto.randomUUID()}`)
  await expect(page).toHaveURL('/platform/404?link=registration')
  const { email, path } = await form.arrive(outbox)
  await linkOf(email, { expiresAt: new Date(Date.now() - 1000) })
  // the link dies while the page is open
  await form.generate()
  await form.finish()
  await expect(form.heading).toHaveText(dead.expired.title)
  await page.getByRole('link', { name: dead.again }).click()
  await expect(page).toHaveURL('/platform/registration')
  await linkOf(email, { expiresAt: new Date(Date.now() + 3_600_000) })

  await asOwn(context, 'noServices', language)
  await page.goto('/platform/registration')
  await expect(page).toHaveURL(/\/platform\/profile/)
  await page.goto(path)
  await expect(form.heading).toHaveText(dead.accessError.title)
  await form.button(dead.signOut).click()
  await form.skipMobile()

  await createUser({ email })
  await form.generate()
  await form.finish()
  await expect(form.heading).toHaveText(dead.known.title)
  await page.getByRole('link', { name: form.t.common.toSignIn }).click()
  await expect(page).toHaveURL('/platform/login')
})

test('the second step shows its errors, changed agreements, and an account made in another tab', async ({
  page,
  context,
  outbox,
}) => {
  const { registration, errors, person } = form.t
  const { email, path } = await form.arrive(outbox)
  await form.finish()
  const fields = form.summary(registration.errorFieldsTitle)
  await expect(fields).toBeFocused()
  await expect(form.password).toHaveAccessibleDescription(new RegExp(errors.errorEmpty))
  await form.fillFurther()
  await form.password.fill('Severnyj-veter-41')
  await form.repeat.fill('Severnyj-veter-42')
  await form.finish()
  await expect(form.repeat).toHaveAccessibleDescription(errors.errorMatch)
  // only after the right code does the form report that the mobile is in use
  const namesake = await createUser()
  await page.getByRole('link', { name: person.giveMobile }).click()
  await form.mobile.fill(namesake.mobile)
  await expect(form.mobile).toHaveValue(namesake.mobile.slice(2))
  await form.button(person.getCode).click()
  await form.code.fill((await outbox(namesake.mobile)).code)
  await expect(page.getByText(errors.errorMobileRegistered)).toBeVisible()
  // a number that isn't proven is in no form
  await page.getByRole('link', { name: person.otherMobile }).click()
  await expect(form.mobile).toBeFocused()
  await form.skipMobile()
  await expect(page.getByText(person.noMobile)).toBeVisible()
  await form.generate()

  const other = await context.newPage()
  await other.goto(path)
  const tab = form.in(other)
  await tab.skipMobile()
  await tab.generate()
  await tab.finish()
  await expect(other).toHaveURL('/platform/profile')
  await form.finish()
  await expect(form.heading).toHaveText(registration.dead.linkUsed.title)
  expect(await db().select().from(users).where(eq(users.email, email))).toHaveLength(1)
  await other.close()

  // they agreed to an older version than today's; an open page redirects when its session ends
  await page.goto('about:blank')
  await context.clearCookies({ name: /session/ })
  const host = partnersOf(process.env.PUBLIC_URL)
  const late = newEmail()
  await form.open(host)
  await page.getByRole('checkbox').check()
  await form.ask(late)
  await expect(form.heading).toHaveText(registration.sent.title)
  const address = host + pathIn((await outbox(late)).text)
  await linkOf(late, { data: sql`jsonb_set(${links.data}, '{agreed,0,version}', '1000')` as never })
  await page.goto(address)
  await form.skipMobile()
  await expect(page.getByText(registration.finish.terms)).toBeVisible()
  await form.generate()
  await form.finish()
  await expect(page.getByRole('checkbox')).toHaveAccessibleDescription(errors.errorTerms)
  await page.getByRole('checkbox').check()
  // passwords are typed again, the rest stays
  await expect(page.locator('[name="additionalInfo.position"]')).toHaveValue('Инженер')
  await expect(form.password).toHaveValue('')
  await form.generate()
  await form.finish()
  await expect(page).toHaveURL(/\/platform\/profile$/)
  const id = (await userOf(late))?.id ?? ''
  const agreed = await db().select().from(userAgreements).where(eq(userAgreements.userId, id))
  expect(agreed).toHaveLength(1)
})

test('a form that is sent before its script has come keeps its input', { tag: '@full' }, async ({ page }) => {
  const scripts = await withoutScripts(page)
  await scripts.open('/platform/registration')
  await form.fio.fill(form.t.name)
  await form.button(form.t.registration.submit).click()
  scripts.come()
  await expect(form.email).toHaveAccessibleDescription(form.t.errors.errorEmpty)
  await expect(form.fio).toHaveValue(form.t.name)
})

test.describe('without an answer of the server', () => {
  test.use({ provoked: /net::ERR_FAILED/ })
  test('the input stays', { tag: '@full' }, async ({ page, database: _ }) => {
    const email = newEmail()
    await form.open()
    await page.route('**/platform/registration', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await form.ask(email)
    await expect(page.getByRole('alert').filter({ hasText: form.t.errors.techErrorTitle })).toBeFocused()
    await expect(form.email).toHaveValue(email)
    await page.unroute('**/platform/registration')
    await form.button(form.t.registration.submit).click()
    await expect(form.heading).toHaveText(form.t.registration.sent.title)
  })
})
