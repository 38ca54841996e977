import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ru } from '../e2e/words'
import { installedChromium } from '../setup/machine'
import { adminPassword, type Instance, startInstance } from './instance'
import { connectDirectory, type Directory, enableSync, isOver, startSync, until, well } from './sync'

// two installations of this platform: people of one are synchronized to the other; `npm run test:wapps` runs this file
const { WAPPS } = process.env
const count = 120

let source: Instance
let portal: Instance
let browser: Browser
let directory: Directory
let client: { clientId: string; secret: string }
let applicationId: string

const fields = {
  ...{ name: 'Портал', applicationType: 'web', pkceRequired: true, idTokenAlg: 'RS256' },
  ...{ grantTypes: ['authorization_code', 'client_credentials'], postLogoutRedirectUris: [] },
  ...{ accessTokenLifespan: null, refreshTokenLifespan: null },
}

/** Adds a client of the portal at the source, whose service account may read people. */
async function addClient() {
  const body = { name: 'Портал', code: 'portal', type: 'external', url: portal.url }
  applicationId = (await well<{ id: string }>(source, 'POST', '/setting/applications', body)).id
  const search = '/setting/roles/methods/search?searchValue=users.read'
  const { methods } = await well<{ methods: { id: string; code: string }[] }>(source, 'GET', search)
  const ids = methods.filter(({ code }) => code === 'users.read').map(({ id }) => id)
  await well(source, 'PUT', `/setting/applications/${applicationId}/service-methods`, { methods: ids })
  client = await well(source, 'POST', `/setting/applications/${applicationId}/clients`, {
    ...{ ...fields, clientId: 'portal', authMethod: 'client_secret_basic' },
    ...{ redirectUris: [`${portal.url}/callback`], backchannelLogoutUri: null },
  })
}

/** Names the addresses of the provider at its client, as its card shows them. */
async function nameAddresses() {
  const address = `${portal.url}/api/v1/platform/auth/providers/${directory.id}`
  await well(source, 'PUT', `/setting/applications/client/${client.clientId}`, {
    ...fields,
    redirectUris: [`${address}/callback`],
    backchannelLogoutUri: `${address}/logout`,
  })
}

beforeAll(async () => {
  if (!WAPPS) return
  source = await startInstance('source', '127.0.0.1')
  portal = await startInstance('portal')
  for (let n = 0; n < count; n++)
    await well(source, 'POST', '/setting/users', {
      values: {
        login: `person-${n}`,
        email: `person-${n}@polaris.example`,
        lastName: `Орлова-${n}`,
        firstName: 'Вера',
      },
    })
  await addClient()
  browser = await chromium.launch({ executablePath: installedChromium(), args: ['--no-sandbox'] })
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await portal?.stop()
  await source?.stop()
}, 60_000)

const accounts = () =>
  portal.rows<{ externalId: string; login: string; lastName: string; enabled: boolean }>(
    `select external_id as "externalId", login, last_name as "lastName", enabled from users where provider_id = $1 order by 1`,
    [directory.id],
  )

describe.runIf(WAPPS)('another installation', () => {
  test('gives its people, once, and takes them back', async () => {
    const connection = { url: source.url, realm: '', clientId: client.clientId, clientSecret: client.secret }
    directory = await connectDirectory(portal, 'Источник', { type: 'wapps', ...connection })
    const { run } = await until(portal, await enableSync(portal, directory, 50), isOver)
    // its administrator is one of its people
    expect(run).toMatchObject({ state: 'done', read: count + 1, failed: 0, counts: { created: count + 1 } })
    const there = await source.rows(
      `select id::text as "externalId", login, last_name as "lastName", enabled from users order by 1`,
    )
    expect(await accounts()).toEqual(there)
    const again = await until(portal, await startSync(portal, directory), isOver)
    expect(again.run.counts).toEqual({ created: 0, changed: 0, enabled: 0, disabled: 0, same: count + 1 })
  })

  test('signs its people in, and out', async () => {
    await nameAddresses()
    const page: Page = await (await browser.newContext({ locale: 'ru-RU' })).newPage()
    await page.goto(`${portal.url}/platform/login`)
    await page.getByRole('link', { name: ru['provider-sign-in'].through.replace('{name}', 'Источник') }).click()
    await page.waitForURL(`${source.url}/**`)
    await page.getByLabel('Логин, почта или телефон', { exact: true }).fill('source')
    await page.getByRole('button', { name: ru.common.continue }).click()
    await page.getByLabel(ru.entry.credentials.password, { exact: true }).fill(adminPassword)
    await page.getByRole('button', { name: ru.common.signIn, exact: true }).click()
    await page.getByRole('button', { name: ru.consent.allow }).click()
    await page.waitForURL(`${portal.url}/platform/**`)
    const here = () => page.context().request.get(`${portal.url}/api/v1/platform/users/settings`)
    expect((await here()).status()).toBe(200)
    const origin = { origin: source.url }
    const out = `${source.url}/api/v1/platform/auth/logout`
    expect((await page.context().request.post(out, { headers: origin })).status()).toBe(200)
    await expect.poll(async () => (await here()).status(), { timeout: 20_000 }).toBe(401)
  })

  test('is refused once its client is, and nobody is disabled for it', async () => {
    await well(source, 'PUT', `/setting/applications/${applicationId}/service-methods`, { methods: [] })
    const { run } = await until(portal, await startSync(portal, directory), isOver)
    expect(run).toMatchObject({ state: 'stopped', phase: 'read', fault: 'providerAccess' })
    expect((await accounts()).every(({ enabled }) => enabled)).toBe(true)
  })
})
