import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ru } from '../e2e/words'
import { installedChromium } from '../setup/machine'
import { type Instance, startInstance } from './instance'
import { clientSecret, createRealm, type Person, password, plainPaging } from './keycloak/realm'
import { type Keycloak, startKeycloak } from './keycloak/server'
import { addMapper, connectDirectory, type Directory, enableSync, isOver, readRun, startSync, until } from './sync'

// a real Keycloak, fetched from Maven Central; `npm run test:keycloak` runs this file
const { KEYCLOAK, PEOPLE = '10000' } = process.env
const count = Number(PEOPLE)
/** People a second that a synchronization writes at least, with the provider on the same two cores. */
const least = 200

let platform: Instance
let keycloak: Keycloak
let browser: Browser
let people: Person[]
let staff: Directory

const connection = (realm: string, clientId = 'portal', secret = clientSecret) => ({
  type: 'keycloak' as const,
  ...{ url: keycloak.url, realm, clientId, clientSecret: secret },
})
const say = (line: string) => console.log(`    ${line}`)
const numbers = (seconds: number, of = count) => `${Math.round(of / seconds)} a second (${seconds.toFixed(1)} s)`

beforeAll(async () => {
  if (!KEYCLOAK) return
  platform = await startInstance('portal')
  keycloak = await startKeycloak(platform.env.DATABASE_OWNER_URL)
  people = await createRealm(keycloak, 'staff', count)
  browser = await chromium.launch({ executablePath: installedChromium(), args: ['--no-sandbox'] })
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await keycloak?.stop()
  await platform?.stop()
}, 60_000)

/** What the database has of a provider's accounts: how many, of how many people, and a digest of all that was written. */
const stored = async ({ id }: Directory) =>
  (
    await platform.rows<{ accounts: number; externals: number; digest: string; enabled: number }>(
      `select count(*)::int as accounts, count(distinct external_id)::int as externals,
         count(*) filter (where enabled)::int as enabled,
         md5(string_agg(concat_ws('|', external_id, login, email, updated_at, "values"::text), ',' order by external_id)) as digest
       from users where provider_id = $1`,
      [id],
    )
  )[0]

describe.runIf(KEYCLOAK)('the people of a real Keycloak', () => {
  test('a wrong secret, a client without rights and another realm are told apart', async () => {
    const check = async (of: object) => {
      const { status, body } = await platform.as<{ code: string; data: { providerError: unknown } }>(
        'POST',
        '/setting/providers/status',
        of,
      )
      return [status, body.code, body.data?.providerError]
    }
    const right = await platform.as('POST', '/setting/providers/status', connection('staff'))
    expect(right).toEqual({ status: 200, body: { status: 'success', people: count } })
    expect(await check(connection('staff', 'portal', 'wrong'))).toEqual([
      ...[400, 'providerSecret', { status: 'accessError', requiredRights: [] }],
    ])
    expect(await check(connection('staff', 'weak'))).toEqual([
      ...[400, 'providerAccess', { status: 'accessError', requiredRights: ['view-users', 'query-users'] }],
    ])
    expect((await check(connection('nowhere')))[0]).toBe(400)
  })

  test('come all, with their fields and roles, and fast enough', async () => {
    const fifty = await plainPaging(keycloak, 'staff', 50)
    const plain = await plainPaging(keycloak, 'staff', 500)
    say(`Keycloak alone gives ${plain} people a second by pages of 500, ${fifty} by pages of 50`)
    staff = await connectDirectory(platform, 'Keycloak', connection('staff'))
    await addMapper(platform, staff, {
      ...{ type: 'users-base', name: 'Место', before: 'place', after: 'comment', customAttributes: true },
    })
    const runId = await enableSync(platform, staff, 500)
    const { run, faults, writing } = await until(platform, runId, isOver)
    expect(faults).toEqual([])
    expect(run).toMatchObject({ state: 'done', read: count, done: count, failed: 0, fault: null })
    expect(run.counts).toEqual({ created: count, changed: 0, enabled: 0, disabled: 0, same: 0 })
    const ended = Date.parse(run.finishedAt ?? '')
    const [all, written] = [ended - Date.parse(run.date), ended - writing].map((ms) => ms / 1_000)
    say(`created: ${numbers(all ?? 0)}, of this written ${numbers(written ?? 0)}`)
    say(`memory of the worker: ${await platform.workerMemory()} MiB at most`)

    expect(await stored(staff)).toMatchObject({ accounts: count, externals: count, enabled: count })
    const accounts = await platform.rows<Record<string, string>>(
      `select external_id as id, login as username, email, first_name as "firstName", last_name as "lastName", comment
       from users where provider_id = $1 order by login`,
      [staff.id],
    )
    expect(accounts).toEqual(
      people.map(({ id, username, email, firstName, lastName, attributes: { place } }) => ({
        ...{ id, username, email, firstName, lastName, comment: place[0] },
      })),
    )
    expect(count / (all ?? 0)).toBeGreaterThanOrEqual(least)
  })

  test('a second run changes nothing', async () => {
    const before = await stored(staff)
    const history = async () => (await platform.rows<{ n: number }>('select count(*)::int as n from history'))[0]?.n
    const historyBefore = await history()
    const { run } = await until(platform, await startSync(platform, staff), isOver)
    expect(run).toMatchObject({ state: 'done', counts: { created: 0, changed: 0, disabled: 0, same: count } })
    // nothing but the start of the run is in the history
    expect((await history()) ?? 0).toBeLessThan((historyBefore ?? 0) + 5)
    expect(await stored(staff)).toEqual(before)
    say(`compared: ${numbers((Date.parse(run.finishedAt ?? '') - Date.parse(run.date)) / 1_000)}`)
  })

  test('a worker that is killed while it reads, and again while it writes, loses nobody and doubles nobody', async () => {
    const size = Math.round(count / 3)
    await createRealm(keycloak, 'branch', size)
    const branch = await connectDirectory(platform, 'Филиал', connection('branch'))
    // small pages, so that there is time to be killed in
    const runId = await enableSync(platform, branch, 20)
    await until(platform, runId, ({ read }) => read > 0)
    await platform.killWorker()
    const at = (await readRun(platform, runId)).run
    expect(at).toMatchObject({ state: 'running', phase: 'read' })
    const begun = Date.now()
    await until(platform, runId, ({ done, read, pages }) => done > 0 || (read > at.read && pages > at.pages))
    say(`killed after ${at.read} people were read; goes on after ${((Date.now() - begun) / 1_000).toFixed(1)} s`)

    const half = (await until(platform, runId, ({ done }) => done >= size / 3)).run
    await platform.killWorker()
    const written = await stored(branch)
    expect(written?.accounts).toBeGreaterThanOrEqual(half.done)
    expect(written?.accounts).toBeLessThan(size)
    say(`killed after ${written?.accounts} of ${size} people were written`)
    const { run } = await until(platform, runId, isOver)
    expect(run).toMatchObject({ state: 'done', read: size, done: size, failed: 0 })
    expect(run.counts).toEqual({ created: size, changed: 0, enabled: 0, disabled: 0, same: 0 })
    expect(await stored(branch)).toMatchObject({ accounts: size, externals: size })
    say(`resumed by itself: ${size} accounts of ${size} people`)
  })
})

/** Opens the sign-in page in a browser of its own, goes to Keycloak and signs in there. */
async function signInThere(username: string): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'ru-RU' })).newPage()
  await page.goto(`${platform.url}/platform/login`)
  await page.getByRole('link', { name: ru['provider-sign-in'].through.replace('{name}', 'Keycloak') }).click()
  await page.locator('#username').fill(username)
  await page.locator('#password').fill(password)
  await page.locator('#kc-login').click()
  await page.waitForURL(/\/platform\/(profile|apps)/)
  return page
}

/** Waits until the person of a page is signed out here. */
async function isSignedOut(page: Page) {
  await expect
    .poll(async () => (await page.context().request.get(`${platform.url}/api/v1/platform/users/settings`)).status(), {
      timeout: 20_000,
    })
    .toBe(401)
  await page.goto(`${platform.url}/platform/profile`)
  await page.waitForURL(/\/platform\/login/)
}

describe.runIf(KEYCLOAK)('sign-in through a real Keycloak', () => {
  test('ends here when the person signs out there', async () => {
    const [client] = await keycloak.ask<{ id: string; attributes: object }[]>('GET', '/staff/clients?clientId=portal')
    const logout = `${platform.url}/api/v1/platform/auth/providers/${staff.id}/logout`
    const attributes = {
      ...client?.attributes,
      'backchannel.logout.url': logout,
      'backchannel.logout.session.required': 'true',
    }
    await keycloak.ask('PUT', `/staff/clients/${client?.id}`, { ...client, attributes })
    const page = await signInThere(people[0]?.username ?? '')
    await page.goto(`${keycloak.url}/realms/staff/protocol/openid-connect/logout`)
    await page.locator('#kc-logout').click()
    await isSignedOut(page)
    await page.context().close()
  })

  test('ends when the directory disables the person, or loses them', async () => {
    const [, disabled, removed] = people
    const pages = [await signInThere(disabled?.username ?? ''), await signInThere(removed?.username ?? '')]
    await keycloak.ask('PUT', `/staff/users/${disabled?.id}`, { enabled: false })
    await keycloak.ask('DELETE', `/staff/users/${removed?.id}`)
    const { run } = await until(platform, await startSync(platform, staff), isOver)
    expect(run).toMatchObject({ state: 'done', gone: 2, counts: { disabled: 2, created: 0, changed: 0 } })
    for (const page of pages) await isSignedOut(page)
    expect(await stored(staff)).toMatchObject({ accounts: count, enabled: count - 2 })
  })
})
