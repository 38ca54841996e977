import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { and, eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { db } from '@/db/client'
import { oidcAnswers, oidcRecords } from '@/db/schema'
import { Browser } from './browser'
import { follow, redirectUri, request, type startProvider } from './oidc'
import { startSessionOf } from './sign-in'
import { createUser } from './users'

type Running = Awaited<ReturnType<typeof startProvider>>

/** A new person who is signed in to the platform. */
export async function signedIn(wishes?: Parameters<typeof createUser>[0]) {
  const [user, browser] = [await createUser(wishes), new Browser()]
  await startSessionOf(browser, user.id)
  return { user, browser }
}

/** Makes the authorization request as a signed-in person. Returns the answer and the proof of the request. */
export async function authorize(
  running: Running,
  browser: Browser,
  config: client.Configuration,
  params: Record<string, string> = {},
) {
  const { url, verifier } = await request(config, params)
  const { url: end, body } = await follow(running, browser, url)
  if (!end.href.startsWith(redirectUri)) throw new Error(`ended at ${end}: ${body.slice(0, 200)}`)
  return { end, verifier }
}

/** Returns the tokens of a signed-in person; `extra` is sent with the code. */
export async function tokensFor(
  running: Running,
  browser: Browser,
  config: client.Configuration,
  params: Record<string, string> = {},
  extra: Record<string, string> = {},
  options?: client.AuthorizationCodeGrantOptions,
) {
  const { end, verifier } = await authorize(running, browser, config, params)
  const checks = { pkceCodeVerifier: verifier, expectedState: params.state ?? 'state', expectedNonce: params.nonce }
  return client.authorizationCodeGrant(config, end, checks, extra, options)
}

type Refusal = {
  error?: string
  status?: number
  code?: string
  cause?: { status?: number } | { parameters?: { error?: string } }[]
}

/** Changes the stored time as if the refresh tokens of a client had been used that many seconds ago. */
export async function ageRefreshTokens(clientId: string, seconds: number) {
  const at = new Date(Date.now() - seconds * 1000)
  await db()
    .update(oidcRecords)
    .set({ consumedAt: at })
    .where(and(eq(oidcRecords.clientId, clientId), eq(oidcRecords.model, 'RefreshToken')))
  await db()
    .update(oidcAnswers)
    .set({ expiresAt: new Date(at.getTime() + 10_000) })
}

/** Returns OAuth's error code of a refusal, else the status; `allowed` if there was none. */
export const refused = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'allowed',
    ({ error, status, code, cause }: Refusal) => {
      const challenge = Array.isArray(cause) ? cause[0]?.parameters?.error : undefined
      const answered = cause && !Array.isArray(cause) ? cause.status : undefined
      return String(error ?? challenge ?? status ?? answered ?? code)
    },
  )

/** A server of an application, on this machine. */
export async function listen(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}`, stop: () => new Promise((resolve) => server.close(resolve)) }
}

type Logout = { path: string; type: string | undefined; token: string }

/**
 * Creates an application that gets notices of ended sessions; `hear` gets each notice and returns the status of its
 * answer, by default 200.
 */
export const listenForLogouts = (hear: (logout: Logout) => number | undefined) =>
  listen((req, res) => {
    let body = ''
    req.on('data', (chunk) => {
      body += chunk
    })
    req.on('end', () => {
      const token = new URLSearchParams(body).get('logout_token') ?? ''
      const status = hear({ path: req.url ?? '', type: req.headers['content-type'], token }) ?? 200
      res.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end()
    })
  })
