import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { db } from '@/db/client'
import { applications, oidcClients } from '@/db/schema'
import { invalidate } from '@/lib/kernel/cache'
import oidc_en from '@/messages/en/oidc.json' with { type: 'json' }
import oidc_ru from '@/messages/ru/oidc.json' with { type: 'json' }
import { expect, test } from './fixtures'
import { languages, SignInPage } from './sign-in-page'
import { fitsItsWidth } from './signed-in'

const words = { ru: oidc_ru.oidc, en: oidc_en.oidc }

/** An application on this machine that shows what it was answered, with a client of a demo application. */
async function startApplication(code: string, baseURL = '') {
  const server = createServer((req, res) => {
    res.writeHead(200, { 'content-type': 'text/html' })
    res.end(`<!doctype html><title>App</title><link rel="icon" href="data:,"><h1>${req.url?.split('?')[0]}</h1>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://localhost:${(server.address() as AddressInfo).port}`
  const clientId = `${code}-${Date.now()}`
  const [application] = await db().select().from(applications).where(eq(applications.code, code))
  if (!application) throw new Error(`there is no application ${code}`)
  await db()
    .insert(oidcClients)
    .values({
      applicationId: application.id,
      clientId,
      name: code,
      type: 'public',
      authMethod: 'none',
      redirectUris: [`${address}/callback`],
      postLogoutRedirectUris: [`${address}/bye`],
      grantTypes: ['authorization_code', 'refresh_token'],
    })
  await invalidate(db(), 'oidc-clients')
  const config = await client.discovery(new URL(`${baseURL}/oidc`), clientId, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  })
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { address, application, config, stop }
}

async function authorization({ config, address }: Awaited<ReturnType<typeof startApplication>>, more = {}) {
  const verifier = client.randomPKCECodeVerifier()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: `${address}/callback`,
    scope: 'openid profile',
    state: 'state',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  })
  return { href: url.href, checks: { pkceCodeVerifier: verifier, expectedState: 'state' } }
}

for (const language of languages)
  test(`from an application to its own sign-out, in the language it asks for: ${language}`, async ({
    page,
    axe,
    baseURL,
  }) => {
    const t = words[language]
    const app = await startApplication('procurement', baseURL)
    try {
      const first = await authorization(app, { login_hint: 'one-service', ui_locales: language })
      await page.goto(first.href)
      const signIn = new SignInPage(page, language)
      await expect(signIn.identifier).toHaveValue('one-service')
      await signIn.enterIdentifier('one-service')
      await signIn.enterPassword()
      await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
      const tokens = await client.authorizationCodeGrant(app.config, new URL(page.url()), first.checks)

      // asked anew although signed in
      await page.goto((await authorization(app, { prompt: 'login' })).href)
      await signIn.enterIdentifier('one-service')
      await signIn.enterPassword()
      await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()

      const end = client.buildEndSessionUrl(app.config, {
        id_token_hint: tokens.id_token ?? '',
        post_logout_redirect_uri: `${app.address}/bye`,
      })
      await page.goto(end.href)
      await expect(page.getByRole('heading', { name: t.logout.title })).toBeVisible()
      await axe(page)
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await page.evaluate(fitsItsWidth)).toBe(true)
      await page.getByRole('button', { name: t.logout.confirm }).click()
      await expect(page.getByRole('heading', { name: '/bye' })).toBeVisible()
      await page.goto('/platform/profile')
      await expect(signIn.identifier).toBeVisible()
    } finally {
      app.stop()
    }
  })

test('an application that isn’t open to the person says so and leads back', async ({ page, axe, baseURL }) => {
  const app = await startApplication('warehouse', baseURL)
  try {
    await new SignInPage(page).signIn('no-services')
    await page.waitForURL(/\/platform\/(?!login)/)
    await page.goto((await authorization(app)).href)
    const t = words.ru
    const title = t.access.title.replace('{application}', app.application.name)
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await axe(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await axe(page)
    await page.getByRole('link', { name: t.access.back }).click()
    await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  } finally {
    app.stop()
  }
})
