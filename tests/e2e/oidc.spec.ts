import * as client from 'openid-client'
import { startApplication } from './application'
import { expect, test } from './fixtures'
import { ownPerson } from './own-people'
import { SignInPage } from './sign-in-page'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const t = words.oidc
// the browser asks for the other one
test.use({ locale: language === 'ru' ? 'en-US' : 'ru-RU' })

test('an application signs a person in and out in the language that it asks for', async ({ page, baseURL }) => {
  const { login } = await ownPerson('oneService')
  const app = await startApplication('procurement', baseURL)
  try {
    const first = await app.authorization({ login_hint: login, ui_locales: language })
    await page.goto(first.href)
    const signIn = new SignInPage(page, language)
    await expect(signIn.identifier).toHaveValue(login)
    const { name, nameEn } = app.application
    const named = t.signIn.replace('{application}', (language === 'ru' ? name : nameEn) ?? '')
    await expect(page.getByText(named)).toBeVisible()
    await signIn.enterIdentifier(login)
    await signIn.enterPassword()
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
    const tokens = await client.authorizationCodeGrant(app.config, new URL(page.url()), first.checks)

    // asked again although the person is signed in
    await page.goto((await app.authorization({ prompt: 'login' })).href)
    await signIn.enterIdentifier(login)
    await signIn.enterPassword()
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()

    const end = client.buildEndSessionUrl(app.config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: `${app.address}/bye`,
    })
    await page.goto(end.href)
    await expect(page.getByRole('heading', { name: t.logout.title })).toBeVisible()
    await page.getByRole('button', { name: t.logout.confirm }).click()
    await expect(page.getByRole('heading', { name: '/bye' })).toBeVisible()
    await page.goto('/platform/profile')
    await expect(signIn.identifier).toBeVisible()
  } finally {
    app.stop()
  }
})

test('an application that isn’t open to the person says so and links back', {
  tag: '@full',
}, async ({ page, context, baseURL }) => {
  const app = await startApplication('warehouse', baseURL)
  try {
    await asOwn(context, 'noServices', language)
    await page.goto((await app.authorization()).href)
    const { name, nameEn } = app.application
    const title = t.access.title.replace('{application}', (language === 'ru' ? name : nameEn) ?? '')
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await page.getByRole('link', { name: t.access.back }).click()
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  } finally {
    app.stop()
  }
})
