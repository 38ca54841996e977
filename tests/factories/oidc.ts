import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as client from 'openid-client'
import { handleOidc } from '@/bin/server/oidc'
import { db } from '@/db/client'
import { applications, methods, oidcClients } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { env } from '@/lib/base/runtime/env'
import { encryptSecret } from '@/lib/openid/clients/service'
import type { Browser } from './browser'
import { drawView } from './draw-view'

const origin = 'http://localhost:3000'
export const issuer = `${origin}/oidc`
export const redirectUri = 'https://app.example/callback'

/**
 * Serves the provider on its own port. `at` rewrites an address of the issuer to it; `from` or the header `x-from` sets
 * the address of the client.
 */
export async function startProvider(from = () => '203.0.113.9') {
  const server = createServer((req, res) => {
    req.headers['x-platform-ip'] = String(req.headers['x-from'] ?? from())
    req.headers['x-forwarded-proto'] = 'http'
    handleOidc(req, res, drawView).catch((error) => {
      console.error(error)
      res.writeHead(500).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const at = (address: string | URL) => {
    const url = new URL(address, origin)
    return `http://127.0.0.1:${port}${url.pathname}${url.search}`
  }
  return { at, stop: () => new Promise((resolve) => server.close(resolve)) }
}
type Running = Awaited<ReturnType<typeof startProvider>>

/** Sends a request as a browser does: with its cookies, and keeps the cookies of the answer. */
export async function visit({ at }: Running, browser: Browser, address: string | URL, init: RequestInit = {}) {
  const answer = await fetch(at(address), {
    redirect: 'manual',
    ...init,
    headers: {
      accept: 'text/html',
      cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...init.headers,
    },
  })
  for (const line of answer.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    if (!value || /expires=Thu, 01 Jan 1970|Max-Age=0/i.test(line)) browser.cookies.delete(name)
    else browser.cookies.set(name, value)
  }
  // with plain spaces, as messages are written
  const text = answer.text.bind(answer)
  answer.text = async () => (await text()).replaceAll('\u00a0', ' ')
  return answer
}

/** Follows the provider's own redirects. Returns where they end: an answer, or an address elsewhere. */
export async function follow(running: Running, browser: Browser, start: string | URL) {
  let address = new URL(start, origin)
  for (let steps = 0; steps < 12; steps++) {
    const answer = await visit(running, browser, address)
    const location = answer.headers.get('location')
    if (!location) return { status: answer.status, body: await answer.text(), url: address }
    address = new URL(location, address)
    const ours = /^\/(oidc|platform\/interaction)\//.test(address.pathname)
    if (address.origin !== origin || !ours) return { status: answer.status, body: '', url: address }
  }
  throw new Error(`no end of redirects at ${address}`)
}

type Made = Partial<typeof oidcClients.$inferInsert> & { secret?: string; methods?: string[]; external?: boolean }

/** Creates an application with a client. Returns openid-client's configuration for it. */
export async function createClient({ at }: Running, { secret, methods: codes = [], external, ...values }: Made = {}) {
  const clientId = values.clientId ?? `client-${randomUUID()}`
  const [application] = await db()
    .insert(applications)
    .values({
      type: external ? 'external' : 'internal',
      code: clientId,
      name: 'Учёт',
      nameEn: 'Ledger',
      url: 'https://app.example/',
    })
    .returning()
  if (!application) throw new Error('no application')
  if (codes.length > 0)
    await db()
      .insert(methods)
      .values(codes.map((code) => ({ code, name: code, kind: 'application' as const, applicationId: application.id })))
  await db()
    .insert(oidcClients)
    .values({
      applicationId: application.id,
      clientId,
      name: clientId,
      type: secret ? 'confidential' : 'public',
      authMethod: secret ? 'client_secret_basic' : 'none',
      secrets: secret ? [{ sealed: encryptSecret(secret, clientId), expiresAt: null }] : [],
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code', 'refresh_token'],
      ...values,
    })
  dropCached('oidc-clients')
  const config = await client.discovery(
    new URL('/oidc', env().PUBLIC_URL),
    clientId,
    undefined,
    secret ? client.ClientSecretBasic(secret) : client.None(),
    {
      execute: [client.allowInsecureRequests],
      [client.customFetch]: (address, init) => fetch(at(address), init as RequestInit),
    },
  )
  return { clientId, application, config }
}

/** An authorization request of a client with PKCE, and its verifier. */
export async function request(config: client.Configuration, params: Record<string, string> = {}) {
  const verifier = client.randomPKCECodeVerifier()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile email phone roles contractors',
    state: 'state',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...params,
  })
  return { url, verifier }
}

/** Submits a form of one of our pages, as a browser does. */
export const submit = (
  running: Running,
  browser: Browser,
  address: string | URL,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  visit(running, browser, address, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  })

const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/** Escapes the text of an attribute as React does. */
export const decoded = (attribute: string) => attribute.replace(/&(#?\w+);/g, (whole, name) => signs[name] ?? whole)

/** Returns the address to which the only form of a page is sent. */
export function formAction(body: string): string {
  const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(body) ?? []
  return decoded(action)
}
