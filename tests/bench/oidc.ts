import { createHash } from 'node:crypto'
import { demoClientSecret } from '@/db/seed/demo/oidc-clients'
import { bareClient } from './bare-client'
import { browserOf } from './cases'
import { type Measured, measure, send } from './load'
import { recordRefresh, replay } from './statements'
import { anyAddress } from './trust'

const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`
const service = { id: 'warehouse-sync', secret: demoClientSecret('warehouse-sync') }
const application = { id: 'procurement', secret: demoClientSecret('procurement') }
const redirectUri = 'http://localhost:4001/callback'

/**
 * The paths of a provider's endpoints: those of the platform are below /oidc, those of the bare provider at the root.
 */
export type At = {
  origin: string
  base: string
  client: { id: string; secret: string }
  /** Its path of introspection, if it isn't that of ours. */
  introspection?: string
}
/** The platform's provider, asked by a program, and by an application that people sign in to. */
export const serviceAt = (origin: string): At => ({ origin, base: '/oidc', client: service })
export const applicationAt = (origin: string): At => ({ origin, base: '/oidc', client: application })

/** Sends a form to an endpoint. Stops the benchmark unless it answers 200. */
export async function post({ origin, base, client }: At, path: string, form: Record<string, string>) {
  const { status, body } = await send(origin, {
    method: 'POST',
    path: `${base}${path}`,
    headers: { authorization: basic(client.id, client.secret), 'x-forwarded-for': '203.0.113.7' },
    body: new URLSearchParams(form),
  })
  if (status !== 200) throw new Error(`the benchmark itself failed: ${path} answered ${status} ${body}`)
  return JSON.parse(body)
}

export const token = (at: At) => post(at, '/token', { grant_type: 'client_credentials' })

export const tokens = (at: At) => async () => {
  await token(at)
  return 1
}

export function introspections(at: At, { access_token: value }: { access_token: string }) {
  return async () => {
    const { active } = await post(at, at.introspection ?? '/token/introspection', { token: value })
    if (!active) throw new Error('the benchmark itself failed: the token is not active')
    return 1
  }
}

/** Requests discovery, then the keys. */
const publicReads = (origin: string) => async () => {
  for (const path of ['/oidc/.well-known/openid-configuration', '/oidc/jwks']) {
    const { status } = await send(origin, { path })
    if (status !== 200) throw new Error(`the benchmark itself failed: ${path} answered ${status}`)
  }
  return 2
}

/** Signs somebody in at an application as a browser does. Returns the tokens. */
export async function signInAtApplication(origin: string, login: string) {
  let cookies = await browserOf(origin, login)
  const verifier = 'v'.repeat(64)
  const query = new URLSearchParams({
    client_id: application.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const headers = { 'x-forwarded-for': anyAddress() }
  for (let path = `/oidc/auth?${query}`; ; ) {
    const answer = await send(origin, { path, cookies, headers })
    cookies = answer.cookies
    const to = new URL(answer.location ?? '', origin)
    const code = to.searchParams.get('code')
    const at = applicationAt(origin)
    if (to.href.startsWith(redirectUri) && code)
      return post(at, '/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      })
    if (!answer.location || to.href.startsWith(redirectUri)) throw new Error(`no code: ${answer.status} ${to}`)
    path = `${to.pathname}${to.search}`
  }
}

/** How many requests are under way at once. */
export const width = 16

/** Each of the loops renews tokens of a session of its own; `signIn` returns the first ones. */
export async function refreshes(at: At, signIn: () => Promise<{ refresh_token: string }>) {
  const free: string[] = []
  for (let n = 0; n < width; n++) free.push((await signIn()).refresh_token)
  return async () => {
    const refresh_token = free.pop() ?? ''
    const renewed = await post(at, '/token', { grant_type: 'refresh_token', refresh_token })
    free.push(renewed.refresh_token)
    return 1
  }
}

type Servers = {
  /** The platform with one process per core, with one process, and oidc-provider alone. */
  origin: string
  single: string
  bare: string
}

/** Measures the OpenID Provider, P4 to P7. */
export async function oidcCases({ origin, single, bare }: Servers, seconds: number) {
  const ours = serviceAt(single)
  const theirs: At = { origin: bare, base: '', client: bareClient }
  const person = await signInAtApplication(single, 'services')
  const refresh = await refreshes(applicationAt(origin), () => signInAtApplication(origin, 'services'))
  const recorded = await recordRefresh(
    (await signInAtApplication(origin, 'services')).refresh_token,
    basic(application.id, application.secret),
  )
  const again = await replay(recorded, width)
  const cases: Record<string, () => Promise<Measured>> = {
    'oidc: bare provider, token': () => measure(width, seconds, tokens(theirs)),
    'oidc: token of client_credentials': () => measure(width, seconds, tokens(ours)),
    // each time with another token, because the bare provider keeps a thousand in memory
    'oidc: bare provider, introspection': async () =>
      measure(width, seconds, introspections(theirs, await token(theirs))),
    'oidc: introspection': async () => measure(width, seconds, introspections(ours, await token(ours))),
    "oidc: introspection of a person's token": () =>
      measure(width, seconds, introspections(applicationAt(single), person)),
    'oidc: the statements of a refresh': () => measure(width, seconds, again.once),
    'oidc: refresh with rotation': () => measure(width, seconds, refresh),
    'oidc: discovery and keys': () => measure(width, seconds, publicReads(origin)),
  }
  return { cases, statements: recorded.statements.map(({ text }) => text), stop: again.stop }
}

export const oidcRatios = [
  [
    'P4 client_credentials token / bare provider',
    'oidc: token of client_credentials',
    'oidc: bare provider, token',
    '>= 0.5',
  ],
  [
    'P5 refresh with rotation / its statements',
    'oidc: refresh with rotation',
    'oidc: the statements of a refresh',
    '>= 0.3',
  ],
  ['P6 introspection / bare provider', 'oidc: introspection', 'oidc: bare provider, introspection', '>= 0.7'],
  ['P7 discovery and keys / bare route handler', 'oidc: discovery and keys', 'bare route handler', '>= 0.8'],
] as const
