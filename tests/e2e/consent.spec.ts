import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { db } from '@/db/client'
import { applications, oidcClients, oidcConsents } from '@/db/schema'
import { localName } from '@/lib/base/i18n/local-name'
import { createUser } from '../factories/users'
import { startApplication } from './application'
import { expect, test } from './fixtures'
import { ownPerson } from './own-people'
import { speak } from './people'
import { newEmail, newNumber, pathIn, RegistrationPage } from './registration-page'
import { choiceOf, type Language, languages, SignInPage } from './sign-in-page'
import { asOwn, asPerson } from './signed-in'
import { spokenIn } from './spoken'
import { wordsOf } from './words'

const { language, words: t } = spokenIn(import.meta.filename)
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

test('a person allows an external application, sees it in the profile and withdraws its access', async ({
  page,
  context,
  baseURL,
}) => {
  const app = await startApplication('partner', baseURL)
  const name = localName(app.application, language)
  try {
    await asOwn(context, 'oneService', language)
    await page.goto('/platform/profile')
    await page.getByRole('link', { name: t.shell.screens.UserProfileApplications }).first().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t.shell.screens.UserProfileApplications)
    await expect(page.getByText(t['user-applications'].empty)).toBeVisible()

    const scope = 'openid profile email phone roles contractors fields offline_access'
    const asked = await app.authorization({ scope, prompt: 'consent' })
    await page.goto(asked.href)
    const title = page.getByRole('heading', { level: 1 })
    await expect(title).toHaveText(t.consent.title.replace('{application}', name))
    await expect(page.getByText('maps.partner.example')).toBeVisible()
    for (const { name: said } of Object.values(t.consent.scopes))
      await expect(page.getByText(said, { exact: true })).toBeVisible()
    await page.getByRole('button', { name: t.consent.refuse }).click()
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')

    await page.goto(asked.href)
    await page.getByRole('button', { name: t.consent.allow }).click()
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
    const tokens = await client.authorizationCodeGrant(app.config, new URL(page.url()), asked.checks)
    const fresh = await client.refreshTokenGrant(app.config, tokens.refresh_token ?? '')
    // an own application needs no consent
    const application = await startApplication('procurement', baseURL)
    await page.goto((await application.authorization()).href)
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
    application.stop()

    await page.goto('/platform/profile/applications')
    const cards = page.getByRole('article')
    await expect(cards).toHaveCount(2)
    await expect(cards.first()).toContainText(t['user-applications'].externalMark)
    await expect(cards.last()).toContainText(t['user-applications'].ownMark)
    await page
      .getByRole('button', { name: t['user-applications'].withdrawNamed.replace('{application}', name) })
      .click()
    const ask = page.getByRole('alertdialog')
    await expect(ask).toContainText(t['user-applications'].withdrawText)
    await ask.getByRole('button', { name: t['user-applications'].withdraw, exact: true }).click()
    await expect(page.getByText(t.snackbar.userApplicationWithdraw)).toBeVisible()
    await expect(cards).toHaveCount(1)
    await expect(client.refreshTokenGrant(app.config, fresh.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  } finally {
    app.stop()
  }
})

test('access that was withdrawn in another tab is gone in this one too, and says so', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  const { login, id: userId } = await createUser()
  const code = `withdrawn-${userId.slice(0, 8)}`
  const [application] = await db().insert(applications).values({ type: 'external', code, name: code }).returning()
  const applicationId = application?.id ?? ''
  try {
    const registered = { applicationId, clientId: code, name: code, type: 'public' as const, grantTypes: [] }
    const [knownClient] = await db().insert(oidcClients).values(registered).returning()
    await db()
      .insert(oidcConsents)
      .values({ userId, clientId: knownClient?.id ?? '', scopes: ['openid', 'profile'] })
    await asPerson(context, login, language)
    await page.goto('/platform/profile/applications')
    await page.getByRole('article', { name: code }).getByRole('button').click()
    await db().delete(oidcConsents).where(eq(oidcConsents.userId, userId))
    const ask = page.getByRole('alertdialog')
    await ask.getByRole('button', { name: t['user-applications'].withdraw, exact: true }).click()
    await expect(page.getByText(t.snackbar.userApplicationWithdrawError, { exact: true })).toBeVisible()
    await expect(page.getByText(t['user-applications'].empty)).toBeVisible()
  } finally {
    await db().delete(applications).where(eq(applications.id, applicationId))
  }
})

/** Switches the page from one language to the other. */
async function speakInstead(page: Page, from: Language, to: Language) {
  const [before = ''] = wordsOf(from).common.chooseLanguage.split(':')
  await choiceOf(page, before).click()
  await page.getByRole('button', { name: { ru: 'Русский', en: 'English' }[to] }).click()
}

test('a device is signed in by its code', { tag: '@full' }, async ({ page, context, baseURL }) => {
  const app = await startApplication('procurement', baseURL, [deviceGrant, 'refresh_token'])
  const { login } = await ownPerson('employee')
  const { enter, errors, confirm, done, refused } = t['device-flow']
  const title = page.getByRole('heading', { level: 1 })
  const start = () => client.initiateDeviceAuthorization(app.config, { scope: 'openid profile' })
  const other = languages.find((one) => one !== language) ?? language
  const inOther = wordsOf(other)['device-flow']
  const name = localName(app.application, language)
  try {
    await speak(context, language, baseURL)
    const device = await start()
    await page.goto(device.verification_uri)
    await expect(title).toHaveText(enter.title)
    const field = page.getByLabel(enter.label)
    await expect(field).toBeFocused()
    await speakInstead(page, language, other)
    await expect(title).toHaveText(inOther.enter.title)
    await speakInstead(page, other, language)
    await expect(title).toHaveText(enter.title)
    await field.fill('BBBB-BBBB')
    await page.getByRole('button', { name: enter.submit }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(errors.wrong)
    await expect(field).toHaveAccessibleDescription(new RegExp(errors.wrong))
    await field.fill(device.user_code.toLowerCase().replace('-', ''))
    await field.press('Enter')
    await expect(title).toHaveText(confirm.title.replace('{application}', name))
    await expect(page.getByText(device.user_code, { exact: true })).toBeVisible()
    // the page answered a form, so its address would show another one: only the theme is chosen here
    await expect(page.locator('header summary')).toHaveCount(1)
    await page.locator('header summary').click()
    await page.getByRole('button', { name: t.shell.themes.dark }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(page.getByText(device.user_code, { exact: true })).toBeVisible()
    await page.getByRole('button', { name: confirm.allow }).click()

    const signIn = new SignInPage(page, language)
    await expect(page.getByText(t.oidc.signIn.replace('{application}', name))).toBeVisible()
    await signIn.enterIdentifier(login)
    await signIn.enterPassword()
    await expect(title).toHaveText(done.title)
    const tokens = await client.pollDeviceAuthorizationGrant(app.config, { ...device, interval: 0.001 })
    expect(tokens.claims()).toMatchObject({ preferred_username: login })

    const another = await start()
    await page.goto(another.verification_uri_complete ?? '')
    await expect(field).toHaveValue(another.user_code)
    await page.getByRole('button', { name: enter.submit }).click()
    await page.getByRole('button', { name: confirm.refuse }).click()
    await expect(title).toHaveText(refused.title)
    await expect(
      client.pollDeviceAuthorizationGrant(app.config, { ...another, interval: 0.001 }),
    ).rejects.toMatchObject({ error: 'access_denied' })
    await page.getByRole('link', { name: refused.again }).click()
    await expect(title).toHaveText(enter.title)
  } finally {
    app.stop()
  }
})

test('people who come from an application during a sign-in are led back to it', async ({ page, context, baseURL }) => {
  const app = await startApplication('procurement', baseURL)
  const { login } = await ownPerson('employee')
  try {
    await speak(context, language, baseURL)
    const signIn = new SignInPage(page, language)
    await signIn.open('?path=/platform/profile/personal')
    await signIn.enterIdentifier(login)
    await expect(signIn.passwordField).toBeVisible()
    await page.goto((await app.authorization()).href)
    await signIn.enterPassword()
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
  } finally {
    app.stop()
  }
})

test('people without an account can register on the way to an application, and arrive there', { tag: '@full' }, async ({
  page,
  context,
  baseURL,
  outbox,
}) => {
  const app = await startApplication('partner', baseURL)
  const form = new RegistrationPage(page, language)
  try {
    await speak(context, language, baseURL)
    const asked = await app.authorization()
    await page.goto(asked.href)
    await page.getByRole('link', { name: form.t.registration.invite.replace(/.*<link>|<\/link>.*/g, '') }).click()
    const email = newEmail()
    await form.ask(email)
    await expect(form.heading).toHaveText(form.t.registration.sent.title)
    await page.goto(pathIn((await outbox(email)).text))
    const number = newNumber()
    await form.mobile.fill(number)
    await form.button(form.t.person.getCode).click()
    await expect(form.code).toBeFocused()
    await form.code.fill((await outbox(`+7${number}`)).code)
    await expect(page.getByText(form.t.person.verified).first()).toBeVisible()
    await form.generate()
    await form.finish()
    await page.getByRole('button', { name: t.consent.allow }).click()
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
    const tokens = await client.authorizationCodeGrant(app.config, new URL(page.url()), asked.checks)
    expect(tokens.claims()).toMatchObject({ preferred_username: expect.any(String) })
    // from an own application that isn't open to them, the page leads to the request for access to it
    const closed = await startApplication('warehouse', baseURL)
    await page.goto((await closed.authorization()).href)
    await page.getByRole('main').getByRole('link', { name: t.oidc.access.request }).click()
    await expect(page.getByRole('dialog').getByRole('group', { name: t['access-requests'].companies })).toBeVisible()
    closed.stop()
  } finally {
    app.stop()
  }
})
