import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as client from 'openid-client'
import { logoutTokens } from './logout-token.ts'
import { needed } from './needed.ts'

const {
  ISSUER: issuer = 'http://localhost:3000/oidc',
  CLIENT_ID: clientId = 'warehouse',
  CLIENT_SECRET: secret,
  ORIGIN: origin = 'http://localhost:4002',
} = process.env

const proof = secret ? client.ClientSecretBasic(secret) : client.None()
const config = await client.discovery(new URL(issuer), clientId, undefined, proof, {
  execute: [client.allowInsecureRequests], // http, for trying only
})
const readLogoutToken = logoutTokens(issuer, needed(config.serverMetadata().jwks_uri, 'jwks_uri'), clientId)

type Attempt = { pkceCodeVerifier: string; expectedState: string; expectedNonce: string }
type Session = { sid: string; tokens: client.TokenEndpointResponse; expiresAt: number }
// in a real application a table or Redis; both by the value of a cookie
const attempts = new Map<string, Attempt>()
const sessions = new Map<string, Session>()

const cookie = (name: string, value: string) => `${name}=${value}; Path=/; HttpOnly; SameSite=Lax`
const read = (req: IncomingMessage, name: string) =>
  new RegExp(`(?:^|; )${name}=([^;]+)`).exec(req.headers.cookie ?? '')?.[1] ?? ''
const lead = (res: ServerResponse, location: string, cookies: string[] = []) =>
  res.writeHead(303, { location, 'set-cookie': cookies }).end()

async function begin(res: ServerResponse) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const [expectedState, expectedNonce, id] = [client.randomState(), client.randomNonce(), randomUUID()]
  attempts.set(id, { pkceCodeVerifier, expectedState, expectedNonce })
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: `${origin}/callback`,
    scope: 'openid profile email roles contractors',
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  lead(res, url.href, [cookie('attempt', id)])
}

const kept = (sid: unknown, tokens: client.TokenEndpointResponse): Session => ({
  // by it the back channel says which session is over
  sid: needed(sid, 'sid'),
  tokens,
  expiresAt: Date.now() + (tokens.expires_in ?? 0) * 1000,
})

async function finish(req: IncomingMessage, res: ServerResponse, url: URL) {
  const attempt = attempts.get(read(req, 'attempt'))
  attempts.delete(read(req, 'attempt'))
  if (!attempt || url.searchParams.has('error')) return lead(res, '/')
  const tokens = await client.authorizationCodeGrant(config, url, attempt)
  const id = randomUUID()
  sessions.set(id, kept(tokens.claims()?.sid, tokens))
  lead(res, '/', [cookie('session_of_app', id)])
}

/** The session of a browser with tokens that are good for 30 seconds at least; nothing when it is over. */
async function liveSession(id: string): Promise<Session | undefined> {
  const session = sessions.get(id)
  if (!session || session.expiresAt > Date.now() + 30_000) return session
  try {
    const tokens = await client.refreshTokenGrant(config, needed(session.tokens.refresh_token, 'refresh_token'))
    sessions.set(id, kept(session.sid, tokens))
  } catch (error) {
    if (!(error instanceof client.ResponseBodyError) || error.error !== 'invalid_grant') throw error
    sessions.delete(id)
  }
  return sessions.get(id)
}

/** Who it is; nothing when the session is over, which tokens know before the back channel says so. */
async function askAbout(id: string, { tokens }: Session) {
  try {
    return await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)
  } catch (error) {
    if (!(error instanceof client.WWWAuthenticateChallengeError) || error.status !== 401) throw error
    sessions.delete(id)
    return undefined
  }
}

function signOut(res: ServerResponse, id: string) {
  const hint = sessions.get(id)?.tokens.id_token
  const end = client.buildEndSessionUrl(config, {
    ...(hint ? { id_token_hint: hint } : {}),
    post_logout_redirect_uri: `${origin}/`,
  })
  sessions.delete(id)
  lead(res, end.href)
}

const page = (title: string, more: string) => `<!doctype html><html lang="en"><title>Warehouse</title>
<link rel="icon" href="data:,"><meta name="viewport" content="width=device-width"><h1>${title}</h1>${more}`
const escaped = (value: string) => value.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

async function handle(req: IncomingMessage, res: ServerResponse) {
  const url = new URL(req.url ?? '', origin)
  const id = read(req, 'session_of_app')
  if (url.pathname === '/sign-in') return begin(res)
  if (url.pathname === '/callback') return finish(req, res, url)
  if (url.pathname === '/sign-out' && req.method === 'POST') return signOut(res, id)
  if (url.pathname === '/backchannel-logout' && req.method === 'POST') {
    const body = new URLSearchParams(await text(req))
    const sid = await readLogoutToken(body.get('logout_token') ?? '').catch(() => undefined)
    for (const [key, session] of sessions) if (sid && session.sid === sid) sessions.delete(key)
    return res.writeHead(sid ? 200 : 400, { 'cache-control': 'no-store' }).end()
  }
  if (url.pathname !== '/') return res.writeHead(404).end()
  const session = await liveSession(id)
  const person = session && (await askAbout(id, session))
  res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  if (!person) return res.end(page('Nobody is signed in', '<a href="/sign-in">Sign in</a>'))
  const form = '<form method="post" action="/sign-out"><button>Sign out</button></form>'
  res.end(page(escaped(person.name ?? ''), form))
}

createServer((req, res) => {
  handle(req, res).catch((error) => {
    console.error(error)
    res.writeHead(500).end()
  })
}).listen(Number(new URL(origin).port), 'localhost')
