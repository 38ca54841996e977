import * as client from 'openid-client'
import { expect } from 'vitest'
import type { Browser } from './browser'
import { follow, redirectUri, request, type startProvider } from './oidc'

type Running = Awaited<ReturnType<typeof startProvider>>

/** The same client, proving itself otherwise. */
export function proving(config: client.Configuration, auth: client.ClientAuth): client.Configuration {
  const { client_id: clientId } = config.clientMetadata()
  const made = new client.Configuration(config.serverMetadata(), clientId, undefined, auth)
  client.allowInsecureRequests(made)
  return Object.assign(made, { [client.customFetch]: config[client.customFetch] })
}

/** What a request to the provider was refused with: its error, else the status; `allowed` if it was not. */
export const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'allowed',
    (error: { error?: string; status?: number; code?: string }) => error.error ?? String(error.status ?? error.code),
  )

/** An authorization code for somebody signed in, not used yet, and how to use it. */
export async function codeFor(running: Running, browser: Browser, config: client.Configuration) {
  const { url, verifier } = await request(config)
  const { url: end, body } = await follow(running, browser, url)
  expect(end.href, body).toContain(redirectUri)
  return () => client.authorizationCodeGrant(config, end, { pkceCodeVerifier: verifier, expectedState: 'state' })
}
