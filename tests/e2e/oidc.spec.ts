import * as client from 'openid-client'
import { startApplication } from './application'
import { expect, test } from './fixtures'
import { languages, SignInPage } from './sign-in-page'
import { en, ru } from './words'

const words = { ru: ru.oidc, en: en.oidc }

for (const language of languages)
  test(`an application signs a person in and out in the language that it asks for: ${language}`, async ({
    page,
    baseURL,
  }) => {
    const t = words[language]
    const app = await startApplication('procurement', baseURL)
    try {
      const first = await app.authorization({ login_hint: 'one-service', ui_locales: language })
      await page.goto(first.href)
      const signIn = new SignInPage(page, language)
      await expect(signIn.identifier).toHaveValue('one-service')
      const { name, nameEn } = app.application
      const named = t.signIn.replace('{application}', (language === 'ru' ? name : nameEn) ?? '')
      await expect(page.getByText(named)).toBeVisible()
      await signIn.enterIdentifier('one-service')
      await signIn.enterPassword()
      await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
      const tokens = await client.authorizationCodeGrant(app.config, new URL(page.url()), first.checks)

      // asked again although the person is signed in
      await page.goto((await app.authorization({ prompt: 'login' })).href)
      await signIn.enterIdentifier('one-service')
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

test('an application that isn’t open to the person says so and links back', async ({ page, baseURL }) => {
  const app = await startApplication('warehouse', baseURL)
  try {
    await new SignInPage(page).signIn('no-services')
    await page.waitForURL(/\/platform\/(?!login)/)
    await page.goto((await app.authorization()).href)
    const t = words.ru
    const title = t.access.title.replace('{application}', app.application.name)
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await page.getByRole('link', { name: t.access.back }).click()
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  } finally {
    app.stop()
  }
})
