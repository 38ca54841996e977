import * as client from 'openid-client'
import { expect } from 'vitest'
import { env } from '@/lib/kernel/env'
import type { Browser } from './browser'
import { createContext } from './context'
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

/** The secret of the clients that tests make, and a client that acts for nobody but itself. */
export const secret = 'a secret of forty-three characters or thereabouts'
export const machine = { secret, redirectUris: [], grantTypes: ['client_credentials'] }
/** Whoever may change clients. */
export const holder = () => createContext({ methods: ['applications.write'] })

/** What a verb refuses: its status and code, and by field. */
export const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'allowed',
    ({ status, code, data }) => ({
      status,
      code,
      fields: data?.errorList?.map((fault: { field: string; code: string }) => `${fault.field} ${fault.code}`),
    }),
  )

/** What a grant to the client itself was refused with. */
export const grant = (config: client.Configuration) => refusalOf(client.clientCredentialsGrant(config))

/** Does something as the production mode would. */
export async function inProduction<T>(work: () => Promise<T>): Promise<T> {
  const { PLATFORM_MODE } = env()
  Object.assign(env(), { PLATFORM_MODE: 'production' })
  return work().finally(() => Object.assign(env(), { PLATFORM_MODE }))
}
