import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '@/lib/base/crypto/password'
import { ru } from '../e2e/words'
import { installedChromium } from '../setup/machine'
import { type Instance, startInstance } from './instance'
import { addBroker, addBrokerMapper, createOffice, type Office, peopleOf } from './keycloak/broker'
import { password } from './keycloak/realm'
import { type Keycloak, startKeycloak } from './keycloak/server'
import { allowWithoutPkce, asAdministrator, enter, makeApplication } from './screens'
import { well } from './sync'

// a real Keycloak that signs people in through the platform (docs/applications.md#keycloak-as-a-broker);
// `npm run test:keycloak` runs this file
const { KEYCLOAK } = process.env

let platform: Instance
let keycloak: Keycloak
let browser: Browser
let administrator: Page

beforeAll(async () => {
  if (!KEYCLOAK) return
  platform = await startInstance('broker')
  keycloak = await startKeycloak(platform.env.DATABASE_OWNER_URL)
  browser = await chromium.launch({ executablePath: installedChromium(), args: ['--no-sandbox'] })
  administrator = await newPage()
  await asAdministrator(administrator, platform)
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await keycloak?.stop()
  await platform?.stop()
}, 60_000)

const newPage = async () => (await browser.newContext({ locale: 'ru-RU' })).newPage()

/** An application for a realm, made in the screens with the addresses that Keycloak has. */
const connect = (realm: string, { redirect, afterSignOut, backchannel }: Office) =>
  makeApplication(administrator, platform, {
    ...{ name: `Keycloak ${realm}`, address: `${keycloak.url}/realms/${realm}/account/` },
    ...{ redirect, afterSignOut, backchannel },
  })

/** A person of the platform, who can sign in by password, and their roles. */
async function newPerson(login: string) {
  const values = { login, email: `${login}@polaris.example`, lastName: 'Орлова', firstName: 'Вера' }
  const { id } = await well<{ id: string }>(platform, 'POST', '/setting/users', { values })
  await platform.rows('update users set password_hash = $2, email_verified_at = now() where id = $1', [
    ...[id, await hashPassword(password)],
  ])
  const roles = await platform.rows<{ id: string }>('select role_id as id from user_roles where user_id = $1', [id])
  return { ...values, id, roles: roles.map((role) => role.id) }
}

/** Goes to the application behind Keycloak, from there to the platform, and signs in here. */
async function signInFromThere(office: Office, login: string): Promise<Page> {
  const page = await newPage()
  await page.goto(office.signIn)
  await page.locator('#social-platform').click()
  await page.waitForURL(`${platform.url}/**`)
  await enter(page, login, password)
  return page
}
const inside = (page: Page) => page.waitForURL(`${keycloak.url}/desk?**`)
const here = async (page: Page) =>
  (await page.context().request.get(`${platform.url}/api/v1/platform/users/settings`)).status()
const sessionsThere = async (realm: string) =>
  (await peopleOf(keycloak, realm)).reduce((sum, { sessions }) => sum + sessions, 0)

describe.runIf(KEYCLOAK)('a Keycloak that signs people in through the platform', () => {
  test('needs nothing but discovery, id and secret, if its client may do without PKCE', async () => {
    const office = await createOffice(keycloak, 'plain')
    const { issuer, clientId, clientSecret } = await connect('plain', office)
    const broker = await addBroker(keycloak, 'plain', { issuer, clientId, clientSecret })
    expect(broker).toMatchObject({
      ...{ issuer, tokenUrl: `${issuer}/token`, userInfoUrl: `${issuer}/me`, jwksUrl: `${issuer}/jwks` },
      ...{ authorizationUrl: `${issuer}/auth`, logoutUrl: `${issuer}/session/end` },
      ...{ validateSignature: 'true', useJwksUrl: 'true' },
    })
    const person = await newPerson('plain.person')

    // as it is made, the client needs PKCE: Keycloak gets a refusal, and says so
    expect(broker).not.toHaveProperty('pkceEnabled')
    const refused = await newPage()
    await refused.goto(office.signIn)
    await refused.locator('#social-platform').click()
    await refused.waitForURL(`${keycloak.url}/realms/plain/**`)
    expect(await peopleOf(keycloak, 'plain')).toEqual([])
    await refused.context().close()
    await allowWithoutPkce(administrator)

    const page = await signInFromThere(office, person.login)
    // Keycloak asks for the scope openid alone, learns no name by it, and asks the person
    const form = page.locator('form', { has: page.locator('#firstName') })
    for (const [field, value] of Object.entries({
      ...{ username: person.login, email: person.email, firstName: 'Vera', lastName: 'Orlova' },
    }))
      await form.locator(`#${field}`).fill(value)
    await form.locator('[type=submit]').click()
    await inside(page)
    expect(await peopleOf(keycloak, 'plain')).toMatchObject([
      { username: person.login, firstName: 'Vera', links: [{ userId: person.id }], sessions: 1 },
    ])
    await page.context().close()
  })

  describe('with the scopes and PKCE that the documentation names', () => {
    let office: Office
    let person: Awaited<ReturnType<typeof newPerson>>
    beforeAll(async () => {
      office = await createOffice(keycloak, 'office')
      const { issuer, clientId, clientSecret } = await connect('office', office)
      await addBroker(keycloak, 'office', {
        ...{ issuer, clientId, clientSecret },
        ...{ defaultScope: 'openid profile email roles', pkceEnabled: 'true', pkceMethod: 'S256' },
      })
      person = await newPerson('office.person')
      expect(person.roles.length).toBeGreaterThan(0)
      await addBrokerMapper(keycloak, 'office', 'clerks', 'oidc-role-idp-mapper', {
        ...{ claim: 'role_ids', 'claim.value': person.roles[0], role: 'clerk' },
      })
    }, 120_000)

    test('asks nothing at the first sign-in, takes names and e-mail, and maps a role', async () => {
      const page = await signInFromThere(office, person.login)
      await inside(page)
      expect(await peopleOf(keycloak, 'office')).toEqual([
        expect.objectContaining({
          ...{ username: person.login, email: person.email, firstName: 'Вера', lastName: 'Орлова', sessions: 1 },
          links: [expect.objectContaining({ userId: person.id, userName: person.login })],
          roles: expect.arrayContaining(['clerk']),
        }),
      ])
      await page.context().close()
    })

    test('knows the person again, and a sign-out there ends the session here', async () => {
      const page = await signInFromThere(office, person.login)
      await inside(page)
      expect(await peopleOf(keycloak, 'office')).toHaveLength(1)
      expect(await here(page)).toBe(200)
      await page.goto(office.signOut)
      await page.locator('#kc-logout').click()
      // the platform asks, because all other applications are concerned too
      await page.getByRole('button', { name: ru.oidc.logout.confirm, exact: true }).click()
      await page.waitForURL(`${keycloak.url}/realms/office/**`)
      expect(await here(page)).toBe(401)
      await page.context().close()
    })

    test('ends its session when the person signs out here', async () => {
      const before = await sessionsThere('office')
      const page = await signInFromThere(office, person.login)
      await inside(page)
      expect(await sessionsThere('office')).toBe(before + 1)
      const out = `${platform.url}/api/v1/platform/auth/logout`
      const answer = await page.context().request.post(out, { headers: { origin: platform.url } })
      expect(answer.status()).toBe(200)
      await expect.poll(() => sessionsThere('office'), { timeout: 30_000 }).toBe(before)
      await page.goto(office.signIn)
      await expect(page.locator('#social-platform').isVisible()).resolves.toBe(true)
      await page.context().close()
    })

    test('is refused once its client is disabled', async () => {
      const { applications } = await well<{ applications: { id: string; name: string }[] }>(
        ...([platform, 'GET', '/setting/applications?filter[search]=Keycloak%20office'] as const),
      )
      await well(platform, 'PUT', `/setting/applications/${applications[0]?.id}/enabled`, { enabled: false })
      const page = await newPage()
      await page.goto(office.signIn)
      await page.locator('#social-platform').click()
      await page.getByRole('heading', { name: ru.oidc.failure.client.title }).waitFor()
      await page.context().close()
    })
  })
})
