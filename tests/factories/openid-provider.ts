import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { and, eq } from 'drizzle-orm'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { GET as callback } from '@/app/api/v1/platform/auth/providers/[id]/callback/route'
import { GET as start } from '@/app/api/v1/platform/auth/providers/[id]/start/route'
import { db } from '@/db/client'
import { sessions, users } from '@/db/schema'
import { addBaseMappers } from '@/lib/people/provider-mappers/contract'
import { createProvider, enableProvider, readProvider } from '@/lib/people/providers/contract'
import { domainByHost } from '@/lib/platform/domains/service'
import type { Browser } from './browser'
import type { Caller } from './caller'

type Claims = Record<string, unknown> & { sub: string }
type Code = { claims: Claims; nonce: string | null; challenge: string; redirectUri: string; clientId: string }
type Signing = { key: CryptoKey; kid: string }

const signingKey = async (): Promise<Signing & { publicKey: CryptoKey }> => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  return { key: privateKey, publicKey, kid: randomUUID() }
}

/** An imitation of an OpenID provider on this machine. It can be told to lie, to fail and to be slow. */
class OpenidProvider {
  clientId = 'portal'
  secret = 'provider-secret'
  /** Claims of the ID token before it is signed, or another token in its place. */
  idToken: (claims: JWTPayload) => JWTPayload | string | Promise<JWTPayload | string> = (claims) => claims
  /** More metadata. */
  metadata: Record<string, unknown> = {}
  /** What userinfo tells besides the claims of the ID token. */
  userinfo: Record<string, unknown> = {}
  /** Answers in place of the imitation. */
  broken: (path: string) => number | 'hang up' | 'flood' | undefined = () => undefined
  asked: string[] = []
  private codes = new Map<string, Code>()
  private tokens = new Map<string, Claims>()
  private server = createServer((request, response) => void this.answer(request, response))
  private signing: Awaited<ReturnType<typeof signingKey>> | undefined

  async start() {
    this.signing = await signingKey()
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done))
    // it ends with the process
    this.server.unref()
    return this
  }
  /** Where it is, and the path of its issuer there. */
  path = ''
  get root() {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }
  get issuer() {
    return `${this.root}${this.path}`
  }
  /** Stops answering at all. */
  stop = () => new Promise((done) => this.server.close(done))

  async sign(claims: JWTPayload, { key, kid, ...header }: Partial<Signing> & { typ?: string; alg?: string } = {}) {
    const own = this.signing
    if (!own) throw new Error('not started')
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: kid ?? own.kid, ...header }).sign(key ?? own.key)
  }

  /** What the person does there: signs in as somebody. Returns the address to which the provider sends the browser back. */
  agree(asking: string | URL, claims: Claims): URL {
    const { searchParams: asked } = new URL(asking)
    const redirectUri = asked.get('redirect_uri') ?? ''
    const code = randomUUID()
    this.codes.set(code, {
      claims,
      redirectUri,
      nonce: asked.get('nonce'),
      challenge: asked.get('code_challenge') ?? '',
      clientId: asked.get('client_id') ?? '',
    })
    return this.back(asking, { code })
  }
  /** The address back with an answer of its own. */
  back(asking: string | URL, answer: Record<string, string>): URL {
    const { searchParams: asked } = new URL(asking)
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.search = new URLSearchParams({ state: asked.get('state') ?? '', iss: this.issuer, ...answer }).toString()
    return back
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(request.url ?? '', this.root)
    const path = pathname.startsWith(this.path) ? pathname.slice(this.path.length) : 'elsewhere'
    this.asked.push(path)
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const instead = this.broken(path)
    if (instead === 'hang up') return void request.destroy()
    if (instead === 'flood') return void send(200, { issuer: this.issuer, padding: 'x'.repeat(1024 * 1024) })
    if (instead !== undefined) return void send(instead, { error: 'server_error' })
    if (path === '/.well-known/openid-configuration')
      return void send(200, {
        issuer: this.issuer,
        authorization_endpoint: `${this.issuer}/authorize`,
        token_endpoint: `${this.issuer}/token`,
        userinfo_endpoint: `${this.issuer}/userinfo`,
        jwks_uri: `${this.issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        ...this.metadata,
      })
    if (path === '/jwks') {
      const { publicKey, kid } = this.signing ?? (await signingKey())
      return void send(200, { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }] })
    }
    if (path === '/userinfo') {
      const claims = this.tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''))
      return void (claims ? send(200, { ...claims, ...this.userinfo }) : send(401, { error: 'invalid_token' }))
    }
    if (path === '/token') return void (await this.exchange(request, send))
    send(404, {})
  }

  private async exchange(request: IncomingMessage, send: (status: number, body: unknown) => void) {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = new URLSearchParams(text)
    // both parts are encoded as of a form (RFC 6749, section 2.3.1)
    const pair = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
    const [clientId, secret] = pair.split(':').map((part) => new URLSearchParams(`part=${part}`).get('part'))
    if (clientId !== this.clientId || secret !== this.secret) return send(401, { error: 'invalid_client' })
    const found = this.codes.get(body.get('code') ?? '')
    this.codes.delete(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (!found || found.challenge !== challenge || found.redirectUri !== body.get('redirect_uri'))
      return send(400, { error: 'invalid_grant' })
    const now = Math.floor(Date.now() / 1000)
    const claims = await this.idToken({
      ...found.claims,
      iss: this.issuer,
      aud: found.clientId,
      iat: now,
      exp: now + 300,
      ...(found.nonce ? { nonce: found.nonce } : {}),
    })
    const token = randomUUID()
    this.tokens.set(token, found.claims)
    send(200, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: 60,
      id_token: typeof claims === 'string' ? claims : await this.sign(claims),
    })
  }
}

export const startOpenidProvider = () => new OpenidProvider().start()

/** The body that creates a provider for the imitation. */
export const openidProviderFor = ({ issuer, clientId, secret }: OpenidProvider, more: object = {}) => ({
  type: 'oidc' as const,
  name: `Провайдер ${randomUUID().slice(0, 8)}`,
  url: issuer,
  realm: '',
  clientId,
  clientSecret: secret,
  scopes: ['profile', 'email'],
  ...more,
})

/** Creates an enabled provider with base mappers that the base domain offers. Returns its id. */
export async function connectProvider(caller: Caller, provider: OpenidProvider, more: object = {}): Promise<string> {
  const { id: domainId } = await domainByHost('localhost:3000')
  const body = openidProviderFor(provider, { domains: [domainId], ...more })
  const { id } = await caller.call(createProvider, { body })
  await caller.call(enableProvider, { params: { id }, body: { enabled: true } })
  const { provider: made } = await caller.call(readProvider, { params: { id } })
  await caller.call(addBaseMappers, { params: { syncId: made.sync[0]?.id ?? '' } })
  return id
}

type Handler = (request: Request, args: { params: Promise<{ id: string }> }) => Promise<Response>

/** Visits an address by a handler, as a browser does. Returns where it leads. */
export async function led(
  browser: Browser,
  handler: Handler,
  id: string,
  search: URLSearchParams | Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<string> {
  const request = new Request(`http://${browser.host}/?${new URLSearchParams(search)}`, {
    headers: {
      host: browser.host,
      'user-agent': browser.userAgent,
      'x-platform-ip': browser.ip,
      cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...headers,
    },
  })
  const response = await handler(request, { params: Promise.resolve({ id }) })
  if (response.status !== 303) throw new Error(`the step answers ${response.status}`)
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    const [name = '', value = ''] = pair.split('=')
    if (/Max-Age=0/.test(line)) browser.cookies.delete(name)
    else browser.cookies.set(name, value)
  }
  return response.headers.get('location') ?? ''
}

/** Begins a sign-in by the button. Returns where that leads: to the provider, or back to the sign-in page. */
export const beginAt = (browser: Browser, id: string, search: Record<string, string> = {}, site = 'same-origin') =>
  led(browser, start, id, search, { 'sec-fetch-site': site })

/** Comes back from the provider. Returns where that leads. */
export const comeBack = (browser: Browser, id: string, back: URL | Record<string, string>) =>
  led(browser, callback, id, back instanceof URL ? back.searchParams : back, { 'sec-fetch-site': 'cross-site' })

/** Signs in through a provider as somebody there. Returns where that leads. */
export async function signInAt(browser: Browser, id: string, provider: OpenidProvider, claims: Claims) {
  const asking = await beginAt(browser, id)
  return comeBack(browser, id, provider.agree(asking, claims))
}

/** Claims of somebody new at a provider, with a proven e-mail. */
export const somebody = (more: object = {}) => {
  const sub = randomUUID()
  const name = `p${sub.slice(0, 8)}`
  return {
    sub,
    email: `${name}@outside.example`,
    email_verified: true,
    preferred_username: name,
    given_name: 'Вера',
    family_name: 'Входова',
    ...more,
  }
}

/** The accounts that a provider keeps under an external id. */
export const accountsOf = (providerId: string, sub: string) =>
  db()
    .select()
    .from(users)
    .where(and(eq(users.providerId, providerId), eq(users.externalId, sub)))

/** The sessions that somebody began at a provider. */
export const sessionsOf = (sub: string) =>
  db()
    .select({ id: sessions.id, userId: sessions.userId, sid: sessions.providerSid, providerId: sessions.providerId })
    .from(sessions)
    .where(eq(sessions.providerSubject, sub))

/** Why the sign-in page is shown; another address as it is. */
export function refusedFor(address: string): string | null {
  const { pathname, searchParams } = new URL(address, 'http://localhost:3000')
  return pathname === '/platform/login' ? searchParams.get('refused') : address
}
