import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { Browser } from './browser'
import { follow, issuer, type startProvider } from './oidc'

type Running = Awaited<ReturnType<typeof startProvider>>
type Tokens = { access_token: string; refresh_token: string; id_token: string }
type Wishes = { running: Running; clientId: string; secret: string; redirectUri: string }

/**
 * Acts as oauth2-proxy with its defaults: a code without PKCE, client authentication by Basic, the whole session in the
 * cookie. Each request with an old cookie renews it, and answers with a new cookie.
 */
export function cookieStoreProxy({ running, clientId, secret, redirectUri }: Wishes) {
  const keys = createRemoteJWKSet(new URL(running.at('/oidc/jwks')))
  const authorization = `Basic ${btoa(`${clientId}:${encodeURIComponent(secret)}`)}`

  async function ask(fields: Record<string, string>): Promise<Tokens> {
    const answer = await fetch(running.at('/oidc/token'), {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams(fields),
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Tokens
  }
  const subOf = async ({ id_token: token }: Tokens) =>
    (await jwtVerify(token, keys, { issuer, audience: clientId })).payload.sub
  const cookieOf = (tokens: Tokens) => Buffer.from(JSON.stringify(tokens)).toString('base64url')

  /** Signs in the person of a browser. Returns the cookie. */
  async function signIn(browser: Browser): Promise<string> {
    const query = new URLSearchParams({
      approval_prompt: 'force',
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email profile',
      state: 'state:/',
    })
    const { url, body } = await follow(running, browser, `/oidc/auth?${query}`)
    const code = url.searchParams.get('code')
    if (!code) throw new Error(`no code: ${url} ${body.slice(0, 200)}`)
    return cookieOf(await ask({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }))
  }

  /** Requests a page behind it when the session must be renewed. */
  async function open(cookie: string) {
    const heldTokens: Tokens = JSON.parse(Buffer.from(cookie, 'base64url').toString())
    try {
      const tokens = await ask({ grant_type: 'refresh_token', refresh_token: heldTokens.refresh_token })
      return { status: 200, sub: await subOf(tokens), cookie: cookieOf(tokens) }
    } catch (error) {
      return { status: 401, sub: String(error), cookie: '' }
    }
  }
  return { signIn, open }
}

/**
 * Acts as Keycloak with its defaults as a broker: no PKCE, the secret in the form, a nonce, and userinfo besides the ID
 * token. Returns who signed in, and the address to which it redirects at sign-out.
 */
export async function brokerSignIn(browser: Browser, { running, clientId, secret, redirectUri }: Wishes) {
  const query = new URLSearchParams({
    scope: 'openid',
    state: 'state.tab.account-console',
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    nonce: 'a nonce',
  })
  const { url, body } = await follow(running, browser, `/oidc/auth?${query}`)
  const code = url.searchParams.get('code')
  if (!code || url.searchParams.get('state') !== query.get('state')) throw new Error(`${url} ${body.slice(0, 200)}`)
  const fields = { code, grant_type: 'authorization_code', redirect_uri: redirectUri, client_id: clientId }
  const answer = await fetch(running.at('/oidc/token'), {
    method: 'POST',
    body: new URLSearchParams({ ...fields, client_secret: secret }),
  })
  const tokens = (await answer.json()) as Tokens
  if (!answer.ok) throw new Error(JSON.stringify(tokens))
  const keys = createRemoteJWKSet(new URL(running.at('/oidc/jwks')))
  const { payload } = await jwtVerify(tokens.id_token, keys, { issuer, audience: clientId })
  if (payload.nonce !== 'a nonce') throw new Error('another nonce')
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const info = await (await fetch(running.at('/oidc/me'), { headers })).json()
  const end = new URLSearchParams({
    state: 'a session of its own',
    id_token_hint: tokens.id_token,
    post_logout_redirect_uri: `${redirectUri}/logout_response`,
  })
  return { claims: payload, info, signOut: `/oidc/session/end?${end}` }
}
