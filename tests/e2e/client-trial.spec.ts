import { eq, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { applications, oidcClients } from '@/db/schema'
import { invalidate } from '@/lib/base/cache/cache'
import { encryptSecret } from '@/lib/openid/clients/service'
import { createRoleWith } from '../factories/access'
import { newApplication } from '../factories/applications'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn, asPerson } from './signed-in'
import { spokenIn } from './spoken'

// docs/rules/openid-provider.md#trial-sign-in

const { language, words } = spokenIn(import.meta.filename)
const { 'client-trial': t, clients: c, errors, oidc, ui } = words
const prefix = 'e2e-trial'
const secret = 'a secret of forty-three characters or thereabouts'

test.beforeEach(async ({ database: _ }) => {
  await db()
    .delete(applications)
    .where(like(applications.code, `${prefix}%`))
})

/** An application with a client whose address nobody serves. */
async function newClient(name: string, values: Partial<typeof oidcClients.$inferInsert> = {}) {
  const clientId = `${prefix}-${Date.now()}`
  const { id } = await newApplication({ type: 'link', code: clientId, name })
  await db().transaction(async (tx) => {
    await tx.insert(oidcClients).values({
      applicationId: id,
      clientId,
      name,
      type: 'confidential',
      authMethod: 'client_secret_basic',
      secrets: [{ sealed: encryptSecret(secret, clientId), expiresAt: null }],
      redirectUris: ['https://app.example/callback'],
      grantTypes: ['authorization_code', 'refresh_token'],
      ...values,
    })
    await invalidate(tx, 'oidc-clients')
  })
  return { clientId, path: `/platform/setting/applications/${id}` }
}

/** Waits until the server knows a client, or that it is disabled: it reads its clients anew after a moment. */
const expectAccepted = (clientId: string, enabled = true) =>
  expect
    .poll(async () => {
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'none' })
      const headers = { authorization: `Basic ${btoa(`${clientId}:${encodeURIComponent(secret)}`)}` }
      return (await (await fetch(`${process.env.PUBLIC_URL}/oidc/token`, { method: 'POST', body, headers })).json())
        .error
    })
    .toBe(enabled ? 'invalid_grant' : 'invalid_client')

test('an administrator tries a client and sees what its application learns', async ({ page, context, baseURL }) => {
  const { path, clientId } = await newClient('E2E Trial')
  await expectAccepted(clientId)
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}?tab=clients`)
  const [tab] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: c.tryIt }).click()])
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText(t.title.replace('{name}', 'E2E Trial'))
  const trail = tab.getByRole('navigation', { name: ui.breadcrumbs })
  await expect(trail.getByRole('link', { name: 'E2E Trial', exact: true })).toHaveAttribute('href', path)
  await tab.getByLabel(t.scopeNames.phone, { exact: true }).uncheck()
  await tab.getByRole('button', { name: t.begin, exact: true }).click()
  await expect(tab.getByText(t.well)).toBeVisible()
  // the address holds no code, and nobody else is told of it
  expect([...new URL(tab.url()).searchParams.keys()].sort()).toEqual(['client', 'trial'])
  const claims = tab.locator('main')
  await expect(claims.getByText('preferred_username', { exact: true }).first()).toBeVisible()
  await expect(claims.getByText(clientId, { exact: true })).toBeVisible()
  await expect(claims.getByText('phone_number', { exact: true })).toHaveCount(0)
  await expect(tab.getByText('eyJ')).toHaveCount(0)

  // loaded again it is the same, elsewhere it isn't there
  await tab.reload()
  await expect(tab.getByText(t.well)).toBeVisible()
  const strange = new URL(tab.url())
  strange.searchParams.set('trial', 'somebody-elses')
  await tab.goto(strange.href)
  await expect(tab.getByText(t.over)).toBeVisible()
  await tab.getByRole('button', { name: t.again, exact: true }).click()
  await expect(tab.getByText(t.well)).toBeVisible()

  // an answer to no trial
  await tab.goto(`${baseURL}/oidc/trial?state=foreign&code=stolen`)
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText(oidc.failure.trial.title)
})

test('a client that can’t be tried says why, and who only looks can’t try', { tag: '@full' }, async ({
  page,
  context,
}) => {
  const { path, clientId } = await newClient('E2E Keys', {
    authMethod: 'private_key_jwt',
    secrets: [],
    jwksUri: 'https://app.example/keys',
  })
  const other = await newClient('E2E Disabled')
  await expectAccepted(other.clientId)
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}/trial?client=${clientId}`)
  await expect(page.getByText(errors.trialWithKeys)).toBeVisible()
  await expect(page.getByRole('button', { name: t.begin, exact: true })).toHaveCount(0)

  // it was fine when the page was opened, and is disabled when it is tried
  await page.goto(`${other.path}/trial?client=${other.clientId}`)
  await db().transaction(async (tx) => {
    await tx.update(oidcClients).set({ enabled: false }).where(eq(oidcClients.clientId, other.clientId))
    await invalidate(tx, 'oidc-clients')
  })
  await expectAccepted(other.clientId, false)
  await page.getByRole('button', { name: t.begin, exact: true }).click()
  await expect(page.getByText(errors.trialUnusable).first()).toBeVisible()

  const { login } = await createUser({ roles: ['user', await createRoleWith(['applications.read'])] })
  await asPerson(context, login, language)
  await page.goto(`${path}?tab=clients`)
  await expect(page.getByRole('link', { name: c.tryIt })).toHaveCount(0)
  await page.goto(`${path}/trial?client=${clientId}`)
  await expect(page.getByRole('button', { name: t.begin, exact: true })).toHaveCount(0)
})
