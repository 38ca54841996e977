import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import * as client from 'openid-client'
import { type OwnApplication, ownApplications, ownClientId } from '@/db/seed/demo/own-applications'
import { logoutTokens } from '@/docs/examples/logout-token'
import { page, type Shown } from './page'

type Attempt = { pkceCodeVerifier: string; expectedState: string; expectedNonce: string }
type Session = { sid: unknown; idToken: string; claims: Record<string, unknown> }

const cookie = (name: string, value: string) => `${name}=${value}; Path=/; HttpOnly; SameSite=Lax`
const read = (req: IncomingMessage, name: string) =>
  new RegExp(`(?:^|; )${name}=([\\w-]+)`).exec(req.headers.cookie ?? '')?.[1] ?? ''
/** Claims that describe the token and not the person. */
const technical = new Set(['iss', 'aud', 'exp', 'iat', 'nbf', 'nonce', 'at_hash', 's_hash', 'auth_time', 'azp', 'sid'])

const lead = (res: ServerResponse, location: string, ...cookies: string[]) =>
  void res.writeHead(303, { location, 'set-cookie': cookies, 'cache-control': 'no-store' }).end()

/** One application: it signs people in through the platform, shows what it learned about them, and signs them out. */
function application(code: OwnApplication, origin: string, platform: string) {
  const issuer = new URL('/oidc', platform)
  const clientId = ownClientId(code)
  // all ports of one host share cookies
  const [attemptCookie, sessionCookie] = [`${code}_attempt`, `${code}_session`]
  const attempts = new Map<string, Attempt>()
  const sessions = new Map<string, Session>()
  // the discovery is requested when the first person comes, because the platform may start later
  let discovered: Promise<client.Configuration> | undefined
  const configuration = () => {
    discovered ??= client.discovery(issuer, clientId, undefined, client.None(), {
      execute: [client.allowInsecureRequests],
    })
    discovered.catch(() => {
      discovered = undefined
    })
    return discovered
  }

  async function begin(req: IncomingMessage, res: ServerResponse) {
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const attempt = { pkceCodeVerifier, expectedState: client.randomState(), expectedNonce: client.randomNonce() }
    attempts.delete(read(req, attemptCookie))
    const id = randomUUID()
    attempts.set(id, attempt)
    const url = client.buildAuthorizationUrl(await configuration(), {
      redirect_uri: `${origin}/callback`,
      scope: 'openid profile email roles contractors',
      state: attempt.expectedState,
      nonce: attempt.expectedNonce,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    lead(res, url.href, cookie(attemptCookie, id))
  }

  async function finish(req: IncomingMessage, res: ServerResponse, url: URL) {
    const attempt = attempts.get(read(req, attemptCookie))
    attempts.delete(read(req, attemptCookie))
    if (!attempt) return lead(res, '/')
    const error = url.searchParams.get('error')
    if (error) return answer(req, res, { error })
    const config = await configuration()
    const tokens = await client.authorizationCodeGrant(config, url, attempt)
    const tokenClaims = tokens.claims()
    const learned = await client.fetchUserInfo(config, tokens.access_token, tokenClaims?.sub ?? '')
    const claims = Object.fromEntries(Object.entries(learned).filter(([claim]) => !technical.has(claim)))
    const id = randomUUID()
    sessions.set(id, { sid: tokenClaims?.sid, idToken: tokens.id_token ?? '', claims })
    lead(res, '/', cookie(sessionCookie, id))
  }

  async function signOut(req: IncomingMessage, res: ServerResponse) {
    const session = sessions.get(read(req, sessionCookie))
    sessions.delete(read(req, sessionCookie))
    const url = client.buildEndSessionUrl(await configuration(), {
      ...(session ? { id_token_hint: session.idToken } : {}),
      post_logout_redirect_uri: `${origin}/signed-out`,
    })
    lead(res, url.href)
  }

  /** The platform reports which session has ended. */
  async function forget(req: IncomingMessage, res: ServerResponse) {
    const { jwks_uri: keys = '' } = (await configuration()).serverMetadata()
    const token = new URLSearchParams(await text(req)).get('logout_token') ?? ''
    const sid = await logoutTokens(issuer.href, keys, clientId)(token).catch(() => undefined)
    for (const [id, session] of sessions) if (sid && session.sid === sid) sessions.delete(id)
    res.writeHead(sid ? 200 : 400, { 'cache-control': 'no-store' }).end()
  }

  type About = Pick<Extract<Shown, { claims: object }>, 'claims'> | { error: string } | { signedOut: true }
  function answer(req: IncomingMessage, res: ServerResponse, about: About) {
    const chosen = 'claims' in about && typeof about.claims.locale === 'string' ? about.claims.locale : undefined
    const language = /^\s*ru\b/i.test(chosen ?? req.headers['accept-language'] ?? '') ? 'ru' : 'en'
    res.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // signing out redirects from the form to the platform
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'",
    })
    res.end(page({ code, language, portal: new URL('/platform/apps', platform).href, ...about }))
  }

  return async (req: IncomingMessage, res: ServerResponse) => {
    const url = new URL(req.url ?? '', origin)
    const at = `${req.method} ${url.pathname}`
    if (at === 'POST /sign-out') return signOut(req, res)
    if (at === 'POST /backchannel-logout') return forget(req, res)
    if (at === 'GET /callback') return finish(req, res, url)
    if (at === 'GET /signed-out') return answer(req, res, { signedOut: true })
    if (at !== 'GET /') return void res.writeHead(404).end()
    const session = sessions.get(read(req, sessionCookie))
    return session ? answer(req, res, { claims: session.claims }) : begin(req, res)
  }
}

export type DemoApplications = { origins: Record<OwnApplication, string>; stop: () => void }

/**
 * Starts the demo's applications, each on a free port of this machine, as clients of the platform at `platform`.
 * Returns their addresses; `placeApplications` stores them in the platform.
 */
export async function startApplications(platform: string): Promise<DemoApplications> {
  const started = await Promise.all(
    ownApplications.map(async (code) => {
      const server = createServer()
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(0, '127.0.0.1', resolve)
      })
      const origin = `http://localhost:${(server.address() as AddressInfo).port}`
      const handle = application(code, origin, platform)
      server.on('request', (req, res) => {
        handle(req, res).catch((error: Error) => {
          console.error(`the demo application ${code}: ${error.message}`)
          if (!res.headersSent) res.writeHead(303, { location: '/signed-out' })
          res.end()
        })
      })
      return { code, origin, server }
    }),
  )
  return {
    origins: Object.fromEntries(started.map(({ code, origin }) => [code, origin])) as DemoApplications['origins'],
    stop() {
      for (const { server } of started) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}
