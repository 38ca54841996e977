import { setTimeout as wait } from 'node:timers/promises'
import { createRemoteJWKSet, customFetch } from 'jose'
import * as client from 'openid-client'
import { digest } from '@/lib/base/crypto/encryption'
import { env } from '@/lib/base/runtime/env'
import { callbackAddress } from './addresses'
import { type Connection, type Directory, directoryError } from './directory'
import type { ProviderType } from './kinds'
import { callProvider } from './provider-calls'

/** The timeout of an answer, and its largest size: metadata, keys and tokens are small. */
const bounds = { longest: 10_000, largest: 256 * 1024 }

/** Seconds by which the clock of a provider may differ from ours. */
const clockTolerance = 30

/** Milliseconds for which metadata and keys of a provider are cached. */
const cacheTime = 10 * 60_000

export type IssuerConnection = Connection & { type: ProviderType }

/** Returns the issuer address of a provider. */
function issuerOf({ type, url, realm }: Pick<IssuerConnection, 'type' | 'url' | 'realm'>): string {
  if (type === 'keycloak') return `${url}/realms/${encodeURIComponent(realm)}`
  return type === 'wapps' ? `${url}/oidc` : url
}

/** Milliseconds until a request to a busy provider is repeated. */
const pause = 300

/**
 * Calls a provider by the rule of outgoing calls. Returns its answer, which is read completely. Repeats a GET once if
 * the provider is busy: metadata and keys are needed for a code that works once, so otherwise a person would have to
 * begin anew.
 */
async function ask(providerId: string | null, address: string, request: Parameters<typeof callProvider>[2]) {
  const call = () =>
    callProvider(providerId, address, request, {
      ...bounds,
      read: ({ status, headers }, text) =>
        new Response(status === 204 || status === 304 ? null : text, { status, headers }),
    })
  const answer = await call()
  const isBusy = (request.method ?? 'GET') === 'GET' && (answer.status === 429 || answer.status >= 500)
  if (!isBusy) return answer
  await wait(pause)
  return call()
}

/** Returns the fetch function that openid-client uses for a provider. */
const fetchFor =
  (providerId: string | null): client.CustomFetch =>
  (address, { method, headers, body }) =>
    ask(providerId, address, { method, headers, ...(body ? { body: body as string | URLSearchParams } : {}) })

/** Sends the client secret in the header, or in the body if the provider accepts no header. */
const clientAuthentication =
  (secret: string): client.ClientAuth =>
  (server, metadata, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost
    return authenticate(secret)(server, metadata, body, headers)
  }

/** Signatures that a provider can make without knowing a secret of ours; never `none`. */
export const algorithms = [
  'RS256',
  'PS256',
  'ES256',
  'EdDSA',
  'Ed25519',
  'RS384',
  'PS384',
  'ES384',
  'RS512',
  'PS512',
  'ES512',
]

async function discover(connection: IssuerConnection): Promise<client.Configuration> {
  const issuer = new URL(issuerOf(connection))
  const allowsHttp = issuer.protocol === 'http:' && env().PLATFORM_MODE !== 'production'
  const clientOptions = [
    { [client.clockTolerance]: clockTolerance },
    clientAuthentication(connection.clientSecret),
  ] as const
  const discovered = await client.discovery(issuer, connection.clientId, ...clientOptions, {
    [client.customFetch]: fetchFor(connection.id),
    timeout: bounds.longest / 1_000,
    execute: allowsHttp ? [client.allowInsecureRequests] : [],
  })
  const { supportsPKCE: _, ...serverMetadata } = discovered.serverMetadata()
  // few providers name the algorithms of userinfo answers: then the same ones are allowed as for ID tokens
  const userinfoAlgorithms = serverMetadata.userinfo_signing_alg_values_supported?.filter((algorithm) =>
    algorithms.includes(algorithm),
  )
  const metadata = { ...serverMetadata, userinfo_signing_alg_values_supported: userinfoAlgorithms ?? algorithms }
  const config = new client.Configuration(metadata, connection.clientId, ...clientOptions)
  config[client.customFetch] = fetchFor(connection.id)
  config.timeout = bounds.longest / 1_000
  // the signature of an ID token is checked, because TLS proves nothing to a later reader of the token
  client.enableNonRepudiationChecks(config)
  if (allowsHttp) client.allowInsecureRequests(config)
  const { authorization_endpoint: authorizationEndpoint, id_token_signing_alg_values_supported: signingAlgorithms } =
    serverMetadata
  if (!authorizationEndpoint || !/^https?:$/.test(new URL(authorizationEndpoint).protocol))
    throw new Error('no authorization endpoint')
  if (signingAlgorithms && !signingAlgorithms.some((algorithm) => algorithms.includes(algorithm)))
    throw new Error('no signature that can be checked')
  return config
}

type CachedIssuer = {
  until: number
  config: Promise<client.Configuration>
  keys?: ReturnType<typeof createRemoteJWKSet>
}
const issuers = new Map<string, CachedIssuer>()

function cachedIssuer(connection: IssuerConnection): CachedIssuer {
  const key = digest(
    JSON.stringify([
      connection.id,
      issuerOf(connection),
      connection.clientId,
      connection.clientSecret,
      env().PLATFORM_MODE,
    ]),
  )
  const cached = issuers.get(key)
  if (cached && cached.until > performance.now()) return cached
  const entry: CachedIssuer = { until: performance.now() + cacheTime, config: discover(connection) }
  if (issuers.size >= 500) issuers.clear()
  issuers.set(key, entry)
  entry.config.catch(() => issuers.delete(key))
  return entry
}

/**
 * Returns the configuration of a provider: its metadata and the platform's client. It is cached. Throws what the
 * discovery throws; a failure is not cached.
 */
export const configurationOf = (connection: IssuerConnection): Promise<client.Configuration> =>
  cachedIssuer(connection).config

/** Returns the keys of a provider. They are read again when an unknown key is needed, at most twice a minute. */
export async function keysOfProvider(connection: IssuerConnection) {
  const entry = cachedIssuer(connection)
  const { jwks_uri: address } = (await entry.config).serverMetadata()
  if (!address) throw new Error('no keys')
  entry.keys ??= createRemoteJWKSet(new URL(address), {
    cooldownDuration: 30_000,
    cacheMaxAge: cacheTime,
    [customFetch]: (url, { headers, method }) => ask(connection.id, url, { method, headers }),
  })
  return entry.keys
}

/** Reads a provider's metadata without the cache. Throws `directoryError('connection')`. */
export async function findIssuer(connection: IssuerConnection): Promise<void> {
  await discover(connection).catch(() => {
    throw directoryError('connection')
  })
}

/**
 * Returns an OpenID provider as a directory of which only the connection can be checked: it lists no people. The check
 * reads its metadata, and sends a code that doesn't exist: the answer shows whether the provider accepts the client.
 */
export function openid(connection: Connection): Directory {
  const fail = async (): Promise<never> => {
    throw directoryError('connection')
  }
  return {
    async check() {
      const config = await discover({ ...connection, type: 'oidc' }).catch(fail)
      const address = new URL(
        callbackAddress(env().PUBLIC_URL.replace(/\/+$/, ''), connection.id ?? crypto.randomUUID()),
      )
      address.search = new URLSearchParams({
        code: crypto.randomUUID(),
        iss: config.serverMetadata().issuer,
      }).toString()
      try {
        await client.authorizationCodeGrant(config, address, { pkceCodeVerifier: client.randomPKCECodeVerifier() })
      } catch (error) {
        if (isClientRefused(error)) throw directoryError('secret')
        if (error instanceof client.ResponseBodyError) return null
      }
      throw directoryError('connection')
    },
    page: fail,
    isThere: fail,
  }
}

/**
 * Returns whether a provider refused the client or its secret (RFC 6749, section 5.2; Keycloak says
 * unauthorized_client).
 */
export const isClientRefused = (error: unknown): boolean =>
  (error instanceof client.ResponseBodyError && ['invalid_client', 'unauthorized_client'].includes(error.error)) ||
  (error instanceof client.WWWAuthenticateChallengeError && error.status === 401)
