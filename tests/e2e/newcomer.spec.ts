import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type { Browser, Page } from '@playwright/test'
import * as client from 'openid-client'
import pg from 'pg'
import { freePort } from '@/bin/embedded/process'
import { copiedBy } from './clipboard'
import { startServer, startWorker } from './server-process'
import { password, SignInPage } from './sign-in-page'
import { pressCreate } from './signed-in'
import { spokenIn } from './spoken'
import { expect, test } from './turn'

// docs/operations/deployment.md: from an empty database to the first person who signs in to the first application

const { language, words } = spokenIn(import.meta.filename)
const { applications: t, clients: c, ui } = words

const run = promisify(execFile)
const at = (url: string | undefined, path: string) => Object.assign(new URL(url ?? ''), { pathname: path }).href
const ending: (() => Promise<unknown> | unknown)[] = []
test.afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** An empty database, and a platform on it that was brought up as that page says. Returns its environment. */
async function deploy() {
  const name = `newcomer_${randomBytes(6).toString('hex')}`
  const owner = new pg.Client(at(process.env.DATABASE_OWNER_URL, '/postgres'))
  await owner.connect()
  await owner.query(`create database ${name}`)
  ending.push(async () => {
    await owner.query(`drop database ${name} with (force)`)
    await owner.end()
  })
  const port = await freePort()
  const env: Record<string, string> = {
    DATABASE_URL: at(process.env.DATABASE_URL, `/${name}`),
    DATABASE_OWNER_URL: at(process.env.DATABASE_OWNER_URL, `/${name}`),
    // its own numbers of tries
    REDIS_URL: at(process.env.REDIS_URL, '/7'),
    PUBLIC_URL: `http://localhost:${port}`,
    PORT: String(port),
  }
  const migration = spawn(process.execPath, ['dist/migrate.js'], { env: { ...process.env, ...env }, stdio: 'inherit' })
  expect(await new Promise((resolve) => migration.once('exit', resolve))).toBe(0)
  for (const start of [startServer, startWorker]) {
    const { child, ended } = await start(env)
    ending.push(async () => {
      child.kill('SIGTERM')
      await ended
    })
  }
  return env
}

/** Runs a command of the image, as in a shell on the server. */
const command = async (env: Record<string, string>, name: string, ...args: string[]) =>
  (await run(process.execPath, ['dist/platform.js', ...name.split(' '), ...args], { env: { ...process.env, ...env } }))
    .stdout

/** The application: it listens at its address, and keeps the addresses at which browsers came back. */
async function listen() {
  const came: string[] = []
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/callback')) came.push(req.url)
    res.writeHead(200, { 'content-type': 'text/html' })
    res.end('<!doctype html><title>App</title><link rel="icon" href="data:,"><h1>App</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ending.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `http://localhost:${(server.address() as AddressInfo).port}`, came }
}

async function newPage(browser: Browser, baseURL: string, faults: string[]): Promise<Page> {
  const context = await browser.newContext({ baseURL, locale: language })
  ending.push(() => context.close())
  await context.addCookies([{ name: 'locale', value: language, url: baseURL }])
  context.on('response', (answer) => {
    if (answer.status() >= 500) faults.push(`${answer.status()} ${answer.url()}`)
  })
  return context.newPage()
}

/** Sets the first password, on the page that opens by itself or by the link of a mail. */
async function setPassword(page: Page, { t }: SignInPage, fresh: string) {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t.entry.password.title)
  await page.getByLabel(t.entry.password.password, { exact: true }).fill(fresh)
  await page.getByLabel(t.entry.password.repeat, { exact: true }).fill(fresh)
  await page.getByRole('button', { name: t.entry.password.save }).click()
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(t.entry.password.title)
}

test('a newcomer gets from an empty database to the first sign-in to an application', {
  tag: '@full',
}, async ({ browser }) => {
  test.setTimeout(120_000)
  const faults: string[] = []
  const env = await deploy()
  const baseURL = env.PUBLIC_URL ?? ''
  const app = await listen()

  // the temporary administrator, with the password that the command prints
  const printed = await command(env, 'admin create', '--login', 'first.admin', '--email', 'admin@example.com')
  const made = /Password: +(\S+)/.exec(printed)?.[1] ?? ''
  const page = await newPage(browser, baseURL, faults)
  const form = new SignInPage(page, language)
  await form.signIn('first.admin', made)
  await setPassword(page, form, `${password}-1`)
  await expect(page).toHaveURL('/platform/profile')

  // the first application and its client, by the screens alone
  await page.goto('/platform/setting/applications')
  await pressCreate(page, t.create)
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  await dialog.getByLabel(t.name, { exact: true }).fill('Ledger')
  await dialog.getByLabel(t.url, { exact: true }).fill(`${app.address}/`)
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await page.getByRole('link', { name: 'Ledger' }).click()
  await page.getByRole('navigation', { name: ui.card.tabs }).getByRole('link', { name: t.clients }).click()
  await pressCreate(page, c.create)
  const making = page.getByRole('dialog', { name: c.createTitle })
  await making.getByLabel(c.name, { exact: true }).fill('Ledger')
  await making.getByLabel(c.clientId, { exact: true }).fill('ledger')
  await making.getByLabel(`${c.address} 1`).first().fill(`${app.address}/callback`)
  await making.getByRole('button', { name: ui.create, exact: true }).click()
  const secret = await copiedBy(page.getByRole('button', { name: ui.secret.copy.replace('{what}', c.secret) }))

  // the first person, with the link of the mail that the worker sent
  await expect(command(env, 'account create', '--email', 'anna@example.com')).rejects.toThrow('--name: ')
  await command(env, 'account create', '--email', 'anna@example.com', '--name', 'Petrova Anna')
  const reader = await newPage(browser, baseURL, faults)
  await expect(async () => {
    await reader.goto('/platform/dev/outbox')
    await expect(reader.getByText(/\/platform\/login\/password\//)).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 20_000 })
  const mail = await reader.getByText(/\/platform\/login\/password\//).textContent()
  const link = /http\S+\/platform\/login\/password\/[\w-]+/.exec(mail ?? '')?.[0] ?? ''
  const anna = await newPage(browser, baseURL, faults)
  await anna.goto(link)
  await setPassword(anna, new SignInPage(anna, language), `${password}-2`)
  await anna.context().clearCookies()

  // the application knows the issuer, the id and the secret, and nothing else
  const config = await client.discovery(new URL(`${baseURL}/oidc`), 'ledger', secret, undefined, {
    execute: [client.allowInsecureRequests],
  })
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const { href } = client.buildAuthorizationUrl(config, {
    redirect_uri: `${app.address}/callback`,
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  await anna.goto(href)
  const entry = new SignInPage(anna, language)
  await entry.enterIdentifier('anna@example.com')
  await entry.enterPassword(`${password}-2`)
  await expect(anna.getByRole('heading', { name: 'App' })).toBeVisible()
  const tokens = await client.authorizationCodeGrant(config, new URL(app.came.at(-1) ?? '', app.address), {
    pkceCodeVerifier,
  })
  expect(tokens.claims()).toMatchObject({ aud: 'ledger', email: 'anna@example.com' })
  expect(faults).toEqual([])
})
