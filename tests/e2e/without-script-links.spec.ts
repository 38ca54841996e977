import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { db } from '@/db/client'
import { links, userAgreements } from '@/db/schema'
import { localName } from '@/lib/base/i18n/local-name'
import { linkIn, passResend } from '../factories/recovery'
import { newPassword } from '../factories/registration'
import { startApplication } from './application'
import { expect, test } from './fixtures'
import { ownPerson } from './own-people'
import { partnersOf, person, speak } from './people'
import { SignInPage } from './sign-in-page'
import { asOwn, fitsItsWidth, signInAs } from './signed-in'
import { spokenIn } from './spoken'

// links of mails, agreements and pages of the OpenID Provider where no script runs
test.describe.configure({ mode: 'parallel' })
test.use({ javaScriptEnabled: false })

const { language, words: t } = spokenIn(import.meta.filename)
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const passwords = (page: Page) =>
  [t.entry.password.password, t.entry.password.repeat].map((label) => page.getByLabel(label, { exact: true }))

/** Types a password twice and saves it. */
async function save(page: Page, typed: string, button: string) {
  for (const field of passwords(page)) await field.fill(typed)
  await click(page, button)
}

/** What nobody may meet at the widths of a phone and of a desk; nor a button that only a script would use. */
async function look(page: Page, axe: (page: Page) => Promise<void>) {
  await expect(page.locator('main button[type=button]').filter({ visible: true })).toHaveCount(0)
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate(fitsItsWidth), `${page.url()} at ${width} px`).toBe(true)
    await axe(page)
  }
}

test.beforeEach(({ context, baseURL }) => speak(context, language, baseURL))

test('a forgotten password: the link is sent, sent again, and a new one is set', async ({ page, outbox, axe }) => {
  const user = await person(['credentials'])
  const { forgot, set } = t.recovery
  await passResend()
  await page.goto('/platform/forgot-password')
  await click(page, forgot.send)
  const field = page.getByLabel(forgot.email, { exact: true })
  await expect(field).toHaveAccessibleDescription(t.errors.errorEmpty)
  await look(page, axe)
  await field.fill(user.email)
  await click(page, forgot.send)
  await expect(heading(page)).toHaveText(forgot.sent.title)
  await expect(page.getByRole('timer')).toContainText(forgot.sent.resendIn)
  await look(page, axe)
  // too early, so nothing is sent and nothing is claimed
  await click(page, forgot.sent.resend)
  await expect(heading(page)).toHaveText(forgot.sent.title)
  await expect(page.getByText(forgot.sent.again)).toHaveCount(0)
  await click(page, forgot.sent.other)
  await expect(field).toHaveValue(user.email)
  await page.goto(linkIn((await outbox(user.email)).text).address)
  await expect(heading(page)).toHaveText(set.title)
  await save(page, 'Password-1', set.save)
  await expect(page.getByLabel(t.entry.password.password, { exact: true })).toHaveAccessibleDescription(
    new RegExp(t.errors.errorPasswordBreached),
  )
  for (const empty of passwords(page)) await expect(empty).toHaveValue('')
  await look(page, axe)
  await save(page, newPassword, set.save)
  await expect(page).toHaveURL('/platform/profile')
})

test('a link that dies while its page is open says why', { tag: '@full' }, async ({ page, outbox, axe }) => {
  const user = await person(['credentials'])
  const { forgot, set } = t.recovery
  await passResend()
  await page.goto('/platform/forgot-password')
  await page.getByLabel(forgot.email, { exact: true }).fill(user.email)
  await click(page, forgot.send)
  await page.goto(linkIn((await outbox(user.email)).text).address)
  await expect(heading(page)).toHaveText(set.title)
  await db()
    .update(links)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(links.userId, user.id))
  await save(page, newPassword, set.save)
  await expect(heading(page)).toHaveText(set.dead.expired.title)
  await look(page, axe)
  await page.getByRole('link', { name: set.askAgain }).click()
  await expect(heading(page)).toHaveText(forgot.title)
})

test('a first entry, after the agreements of the domain', async ({ page, baseURL, axe }) => {
  const user = await person(['credentials'], [], { passwordChangeRequired: true })
  const words = t.entry.password
  await page.goto(`${partnersOf(baseURL)}/platform/login`)
  const form = new SignInPage(page, language)
  await form.enterIdentifier(user.login)
  await form.enterPassword()
  await expect(heading(page)).toHaveText(t.entry.terms.title)
  await click(page, t.entry.terms.accept)
  await expect(page.getByRole('checkbox')).toHaveAccessibleDescription(t.errors.errorTerms)
  await page.getByRole('checkbox').check()
  await click(page, t.entry.terms.accept)
  await expect(heading(page)).toHaveText(words.title)
  await click(page, words.save)
  for (const field of passwords(page)) await expect(field).toHaveAccessibleDescription(new RegExp(t.errors.errorEmpty))
  await look(page, axe)
  await save(page, newPassword, words.save)
  await expect(page).toHaveURL(/\/platform\/profile$/)
  expect(await db().$count(userAgreements, eq(userAgreements.userId, user.id))).toBe(1)
})

test('agreements of somebody who is signed in, and the sign-out beside them', { tag: '@full' }, async ({
  page,
  context,
  baseURL,
  axe,
}) => {
  const url = partnersOf(baseURL)
  const arrive = async () => {
    await signInAs(context, (await person(['credentials'])).login, language)
    const given = await context.cookies(baseURL)
    await context.addCookies(given.map(({ name, value, httpOnly }) => ({ name, value, httpOnly, url })))
    await page.goto(`${url}/platform/profile/sessions`)
    await expect(heading(page)).toHaveText(t.agreements.title)
  }
  await arrive()
  await click(page, t.common.signOut)
  await expect(page).toHaveURL(/\/platform\/login/)
  await arrive()
  await click(page, t.agreements.accept)
  await expect(page.getByRole('checkbox')).toHaveAccessibleDescription(t.errors.errorTerms)
  await look(page, axe)
  await page.getByRole('checkbox').check()
  await click(page, t.agreements.accept)
  await expect(page).toHaveURL(`${url}/platform/profile/sessions`)
})

test('a stranger’s sign-in is reported, after another account has signed out', { tag: '@full' }, async ({
  page,
  context,
  browser,
  outbox,
  baseURL,
  axe,
}) => {
  const user = await person(['credentials'])
  for (let n = 0; n < 2; n++) {
    const other = await browser.newContext({ baseURL: baseURL ?? '' })
    await signInAs(other, user.login)
    await other.close()
  }
  const words = t['sign-in-report']
  const address = /\/platform\/login\/device\/\S+/.exec((await outbox(user.email)).text)?.[0] ?? ''
  await signInAs(context, (await person(['credentials'])).login, language)
  await page.goto(address)
  await expect(heading(page)).toHaveText(words.dead.accessError.title)
  await look(page, axe)
  await click(page, words.signOut)
  await expect(heading(page)).toHaveText(words.title)
  await look(page, axe)
  await click(page, words.confirm)
  await expect(heading(page)).toHaveText(t.recovery.set.title)
  await page.goto(address)
  await expect(heading(page)).toHaveText(words.dead.linkUsed.title)
})

test('consent to an application of others, and the sign-out that it asks for', async ({
  page,
  context,
  baseURL,
  axe,
}) => {
  const app = await startApplication('partner', baseURL)
  const name = localName(app.application, language)
  try {
    await asOwn(context, 'oneService', language)
    const asked = await app.authorization({ scope: 'openid profile email', prompt: 'consent' })
    await page.goto(asked.href)
    await expect(heading(page)).toHaveText(t.consent.title.replace('{application}', name))
    await look(page, axe)
    // a choice leads back to the question
    await page.locator('header summary').first().click()
    await click(page, t.shell.themes.dark)
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(heading(page)).toHaveText(t.consent.title.replace('{application}', name))
    await click(page, t.consent.allow)
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
    const tokens = await client.authorizationCodeGrant(app.config, new URL(page.url()), asked.checks)
    const end = client.buildEndSessionUrl(app.config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: `${app.address}/bye`,
    })
    await page.goto(end.href)
    await expect(heading(page)).toHaveText(t.oidc.logout.title)
    await look(page, axe)
    await click(page, t.oidc.logout.confirm)
    await expect(page.getByRole('heading', { name: '/bye' })).toBeVisible()
    await page.goto('/platform/profile')
    await expect(new SignInPage(page, language).identifier).toBeVisible()
  } finally {
    app.stop()
  }
})

test('a device is signed in by its code', async ({ page, context, baseURL, axe }) => {
  const app = await startApplication('procurement', baseURL, [
    'urn:ietf:params:oauth:grant-type:device_code',
    'refresh_token',
  ])
  const { enter, errors, confirm, done } = t['device-flow']
  try {
    const { login } = await ownPerson('employee')
    const device = await client.initiateDeviceAuthorization(app.config, { scope: 'openid profile' })
    await page.goto(device.verification_uri)
    await expect(heading(page)).toHaveText(enter.title)
    await expect(page.locator('header summary')).toHaveCount(2)
    await page.getByLabel(enter.label).fill('BBBB-BBBB')
    await click(page, enter.submit)
    await expect(page.getByLabel(enter.label)).toHaveAccessibleDescription(new RegExp(errors.wrong))
    // the page answers a form: nothing leads away from it
    await expect(page.locator('header summary').filter({ visible: true })).toHaveCount(0)
    await expect(page.getByRole('region', { name: t.common.cookie.label })).toHaveCount(0)
    await look(page, axe)
    await page.getByLabel(enter.label).fill(device.user_code)
    await click(page, enter.submit)
    await expect(page.getByText(device.user_code, { exact: true })).toBeVisible()
    await look(page, axe)
    await click(page, confirm.allow)
    const form = new SignInPage(page, language)
    await form.enterIdentifier(login)
    await form.enterPassword()
    await expect(heading(page)).toHaveText(done.title)
    await look(page, axe)
    const tokens = await client.pollDeviceAuthorizationGrant(app.config, device)
    expect(tokens.access_token).toBeTruthy()
    await context.clearCookies()
  } finally {
    app.stop()
  }
})

test('help, a document, a dead link and a refusal: language, theme and sign-out', { tag: '@full' }, async ({
  page,
  context,
  axe,
}) => {
  await page.goto('/platform/help')
  await page.getByRole('searchbox').fill(language === 'ru' ? 'письмо' : 'mail')
  await page.getByRole('button', { name: t.law.help.find }).click()
  await look(page, axe)
  const notice = page.getByRole('region', { name: t.common.cookie.label })
  await notice.getByRole('button').click()
  await expect(page).toHaveURL(/\/platform\/help\?search=/)
  await expect(notice).toHaveCount(0)
  await page.getByRole('main').getByRole('listitem').first().getByRole('link').click()
  await expect(page).toHaveURL(/\/platform\/law\//)
  await look(page, axe)
  await page.goto(`/platform/new-password/${crypto.randomUUID()}`)
  await expect(heading(page)).toHaveText(t['unknown-link'].recovery.title)
  const [other, name] = language === 'ru' ? ['en', 'English'] : ['ru', 'Русский']
  await page.locator('header summary').last().click()
  await click(page, name)
  await expect(page.locator('html')).toHaveAttribute('lang', other)
  await expect(page).toHaveURL('/platform/404?link=recovery')
  await asOwn(context, 'noServices', language)
  await page.goto('/platform/no-access')
  await expect(heading(page)).toHaveText(t.shell.noAccess.title)
  await click(page, t.shell.noAccess.otherAccount)
  await expect(page).toHaveURL(/\/platform\/login/)
})
