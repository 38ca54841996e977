import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { like } from 'drizzle-orm'
import * as client from 'openid-client'
import { db } from '@/db/client'
import { applications } from '@/db/schema/platform'
import { createRoleWith } from '../factories/access'
import { newClient } from '../factories/administered-applications'
import { newApplication } from '../factories/applications'
import { holdMethods } from '../factories/service-accounts'
import { createUser } from '../factories/users'
import { copiedBy } from './clipboard'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn, asPerson } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { applications: t, clients: c, ui, errors, snackbar } = words
const path = '/platform/setting/applications'
const [name, code] = ['E2E Portal', 'e2e-portal']

const forget = () =>
  db()
    .delete(applications)
    .where(like(applications.code, `${code}%`))
test.beforeEach(async ({ database: _ }) => void (await forget()))
test.afterEach(async () => void (await forget()))

/** An application that listens on this machine and shows at which of its addresses the browser is. */
async function listen() {
  const server = createServer((req, res) => {
    res.writeHead(200, { 'content-type': 'text/html' })
    res.end(`<!doctype html><title>App</title><link rel="icon" href="data:,"><h1>${req.url?.split('?')[0]}</h1>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { address: `http://localhost:${(server.address() as AddressInfo).port}`, stop }
}

test('an application and its client are made in the screens, sign a person in, and are deleted', async ({
  page,
  context,
  baseURL,
}) => {
  const app = await listen()
  try {
    await asOwn(context, 'administrator', language)
    await page.goto(path)
    await page.getByRole('button', { name: t.create }).click()
    const dialog = page.getByRole('dialog', { name: t.createTitle })
    await dialog.getByLabel(t.name, { exact: true }).fill(name)
    await dialog.getByRole('button', { name: ui.create, exact: true }).click()
    // a link has an address
    await expect(dialog.getByLabel(t.url, { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await dialog.getByLabel(t.url, { exact: true }).fill(`${app.address}/`)
    await dialog.getByRole('button', { name: ui.create, exact: true }).click()
    await expect(page.getByText(snackbar.applicationCreate)).toBeVisible()
    await page.goto(`${path}?filter[search]=${code}`)
    await page.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

    const tabs = page.getByRole('navigation', { name: ui.card.tabs })
    await tabs.getByRole('link', { name: t.clients }).click()
    await page.getByRole('button', { name: c.create }).click()
    const making = page.getByRole('dialog', { name: c.createTitle })
    await making.getByLabel(c.name, { exact: true }).fill('Portal')
    const clientId = `${code}-${Date.now()}`
    await making.getByLabel(c.clientId, { exact: true }).fill(clientId)
    await making.getByLabel(`${c.address} 1`).first().fill(`${app.address}/*`)
    await making.getByRole('button', { name: ui.create, exact: true }).click()
    await expect(making.getByText(errors.errorWildcard).first()).toBeVisible()
    await making.getByLabel(`${c.address} 1`).first().fill(`${app.address}/callback`)
    await making.getByRole('button', { name: ui.create, exact: true }).click()
    await expect(page.getByText(snackbar.clientCreate)).toBeVisible()
    await expect(page.getByText(clientId).first()).toBeVisible()
    const secret = await copiedBy(page.getByRole('button', { name: ui.secret.copy.replace('{what}', c.secret) }))

    // the values of the screens alone: the issuer, the id and the secret
    const config = await client.discovery(new URL(`${baseURL}/oidc`), clientId, secret, undefined, {
      execute: [client.allowInsecureRequests],
    })
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const { href } = client.buildAuthorizationUrl(config, {
      redirect_uri: `${app.address}/callback`,
      scope: 'openid profile',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const visit = await context.newPage()
    await visit.goto(href)
    await expect(visit.getByRole('heading', { name: '/callback' })).toBeVisible()
    const tokens = await client.authorizationCodeGrant(config, new URL(visit.url()), { pkceCodeVerifier })
    expect(tokens.claims()).toMatchObject({ aud: clientId, name: expect.any(String) })
    await visit.close()

    await tabs.getByRole('link', { name: t.tabs.sessions }).click()
    await expect(page.getByRole('table').getByRole('row')).toHaveCount(2)
    await page.locator('main header [data-row-action]').last().click()
    await page.getByRole('menuitem', { name: t.delete }).click()
    const ask = page.getByRole('dialog', { name: t.deleteTitle.replace('{name}', name) })
    await ask.getByRole('textbox').fill('other')
    await ask.getByRole('button', { name: t.deleteVerb }).click()
    await expect(ask.getByText(t.deleteMismatch.replace('{code}', code))).toBeVisible()
    await ask.getByRole('textbox').fill(code)
    await ask.getByRole('button', { name: t.deleteVerb }).click()
    await expect(page.getByText(snackbar.applicationDelete)).toBeVisible()
    await expect(page).toHaveURL(path)
    const refused = client.refreshTokenGrant(config, tokens.refresh_token ?? 'none')
    await expect(refused).rejects.toThrow()
  } finally {
    app.stop()
  }
})

test('who lacks a right of its service account can’t change an application', { tag: '@full' }, async ({
  page,
  context,
}) => {
  const beyond = { code: `${code}-beyond`, name: `${name} Beyond` }
  const { id } = await newApplication(beyond)
  await newClient({ id, code: beyond.code })
  await holdMethods(id, ['users.write'])
  const { login } = await createUser({ roles: ['user', await createRoleWith(['applications.write'])] })
  await asPerson(context, login, language)
  await page.goto(`${path}/${id}`)
  await expect(page.getByText(t.beyond)).toBeVisible()
  await expect(page.getByRole('button', { name: `${ui.edit}: ${t.names}` })).toHaveCount(0)
  await page.getByRole('navigation', { name: ui.card.tabs }).getByRole('link', { name: t.clients }).click()
  await expect(page.getByRole('heading', { name: c.keys })).toBeVisible()
  await expect(page.getByRole('button', { name: c.create })).toHaveCount(0)
  await expect(page.getByRole('button', { name: c.rotate })).toHaveCount(0)
  // the list doesn't know what its account holds, so the server refuses
  await page.goto(`${path}?filter[search]=${beyond.code}`)
  await page.getByRole('row').filter({ hasText: beyond.name }).getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.disable }).click()
  const ask = page.getByRole('alertdialog')
  await ask.getByRole('button', { name: ui.disable, exact: true }).click()
  await expect(ask.getByText(errors.forbiddenApplication)).toBeVisible()
})
