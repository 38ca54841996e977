import * as client from 'openid-client'
import { expect } from 'vitest'
import { env } from '@/lib/base/runtime/env'
import type { Browser } from './browser'
import { createContext } from './context'
import { follow, redirectUri, request, type startProvider } from './oidc'

type Running = Awaited<ReturnType<typeof startProvider>>

/** The same client with another way to authenticate. */
export function proving(config: client.Configuration, auth: client.ClientAuth): client.Configuration {
  const { client_id: clientId } = config.clientMetadata()
  const made = new client.Configuration(config.serverMetadata(), clientId, undefined, auth)
  client.allowInsecureRequests(made)
  return Object.assign(made, { [client.customFetch]: config[client.customFetch] })
}

/** Returns the error with which the provider refused a request, else the status; `allowed` if it didn't refuse. */
export const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'allowed',
    (error: { error?: string; status?: number; code?: string }) => error.error ?? String(error.status ?? error.code),
  )

/** Returns an unused authorization code for a signed-in person, and how to use it. */
export async function codeFor(running: Running, browser: Browser, config: client.Configuration) {
  const { url, verifier } = await request(config)
  const { url: end, body } = await follow(running, browser, url)
  expect(end.href, body).toContain(redirectUri)
  return () => client.authorizationCodeGrant(config, end, { pkceCodeVerifier: verifier, expectedState: 'state' })
}

/** The secret of the clients that tests create, and a client that acts only for itself. */
export const secret = 'a secret of forty-three characters or thereabouts'
export const machine = { secret, redirectUris: [], grantTypes: ['client_credentials'] }
/** A person who may change clients. */
export const holder = () => createContext({ methods: ['applications.write'] })

/** Returns the refusal of a verb: its status, its code, and the errors by field. */
export const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'allowed',
    ({ status, code, data }) => ({
      status,
      code,
      fields: data?.errorList?.map((fault: { field: string; code: string }) => `${fault.field} ${fault.code}`),
    }),
  )

/** Returns the error with which a client credentials grant was refused. */
export const grant = (config: client.Configuration) => refusalOf(client.clientCredentialsGrant(config))

/** Runs something in production mode. */
export async function inProduction<T>(work: () => Promise<T>): Promise<T> {
  const { PLATFORM_MODE } = env()
  Object.assign(env(), { PLATFORM_MODE: 'production' })
  return work().finally(() => Object.assign(env(), { PLATFORM_MODE }))
}
