import { setTimeout as wait } from 'node:timers/promises'
import { createRemoteJWKSet, customFetch } from 'jose'
import * as client from 'openid-client'
import { digest } from '@/lib/base/crypto/encryption'
import { env } from '@/lib/base/runtime/env'
import { redirectTo } from './addresses'
import { type Connection, type Directory, failed } from './directory'
import type { ProviderType } from './kinds'
import { callProvider } from './provider-calls'

/** The longest wait for one answer, and the largest one: metadata, keys and tokens are small. */
const bounds = { longest: 10_000, largest: 256 * 1024 }

/** Seconds by which the clock of a provider may differ from ours. */
const skew = 30

/** Milliseconds for which metadata and keys of a provider are used without asking again. */
const keptFor = 10 * 60_000

export type Issuing = Connection & { type: ProviderType }

/** Returns the issuer that a provider of this type is. */
function issuerOf({ type, url, realm }: Pick<Issuing, 'type' | 'url' | 'realm'>): string {
  if (type === 'keycloak') return `${url}/realms/${encodeURIComponent(realm)}`
  return type === 'wapps' ? `${url}/oidc` : url
}

/** Milliseconds until something that a busy provider didn't answer is read once more. */
const pause = 300

/**
 * Asks a provider by the rule of outgoing calls; the answer has been read when it returns. What is only read, such as
 * metadata and keys, is asked for once more if the provider is busy: a code works once, so a person would have to begin anew.
 */
async function ask(providerId: string | null, address: string, asked: Parameters<typeof callProvider>[2]) {
  const once = () =>
    callProvider(providerId, address, asked, {
      ...bounds,
      read: ({ status, headers }, text) =>
        new Response(status === 204 || status === 304 ? null : text, { status, headers }),
    })
  const answer = await once()
  const again = (asked.method ?? 'GET') === 'GET' && (answer.status === 429 || answer.status >= 500)
  if (!again) return answer
  await wait(pause)
  return once()
}

/** The fetch of the library. */
const fetchFor =
  (providerId: string | null): client.CustomFetch =>
  (address, { method, headers, body }) =>
    ask(providerId, address, { method, headers, ...(body ? { body: body as string | URLSearchParams } : {}) })

/** The way in which the provider wants the secret: by the header, unless it takes it in the body alone. */
const proving =
  (secret: string): client.ClientAuth =>
  (server, metadata, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const way = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost
    return way(secret)(server, metadata, body, headers)
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

async function discover(of: Issuing): Promise<client.Configuration> {
  const issuer = new URL(issuerOf(of))
  const open = issuer.protocol === 'http:' && env().PLATFORM_MODE !== 'production'
  const how = [{ [client.clockTolerance]: skew }, proving(of.clientSecret)] as const
  const found = await client.discovery(issuer, of.clientId, ...how, {
    [client.customFetch]: fetchFor(of.id),
    timeout: bounds.longest / 1_000,
    execute: open ? [client.allowInsecureRequests] : [],
  })
  const { supportsPKCE: _, ...told } = found.serverMetadata()
  // few providers say how they sign what userinfo answers; it is held to what an ID token is held to
  const ofUserinfo = told.userinfo_signing_alg_values_supported?.filter((one) => algorithms.includes(one))
  const metadata = { ...told, userinfo_signing_alg_values_supported: ofUserinfo ?? algorithms }
  const config = new client.Configuration(metadata, of.clientId, ...how)
  config[client.customFetch] = fetchFor(of.id)
  config.timeout = bounds.longest / 1_000
  // TLS alone doesn't prove an ID token here: whoever reads it later must be able to trust its signature
  client.enableNonRepudiationChecks(config)
  if (open) client.allowInsecureRequests(config)
  const { authorization_endpoint: begin, id_token_signing_alg_values_supported: signed } = told
  if (!begin || !/^https?:$/.test(new URL(begin).protocol)) throw new Error('no authorization endpoint')
  if (signed && !signed.some((one) => algorithms.includes(one))) throw new Error('no signature that can be checked')
  return config
}

type Known = { until: number; config: Promise<client.Configuration>; keys?: ReturnType<typeof createRemoteJWKSet> }
const known = new Map<string, Known>()

function knownOf(of: Issuing): Known {
  const key = digest(JSON.stringify([of.id, issuerOf(of), of.clientId, of.clientSecret, env().PLATFORM_MODE]))
  const found = known.get(key)
  if (found && found.until > performance.now()) return found
  const made: Known = { until: performance.now() + keptFor, config: discover(of) }
  if (known.size >= 500) known.clear()
  known.set(key, made)
  made.config.catch(() => known.delete(key))
  return made
}

/**
 * Returns a provider's metadata with the client that the platform is there. Throws what its discovery throws; a failure
 * is not kept.
 */
export const configurationOf = (of: Issuing): Promise<client.Configuration> => knownOf(of).config

/** Returns the keys of a provider, which are read again for a key that isn't among them, at most twice a minute. */
export async function keysOfProvider(of: Issuing) {
  const found = knownOf(of)
  const { jwks_uri: address } = (await found.config).serverMetadata()
  if (!address) throw new Error('no keys')
  found.keys ??= createRemoteJWKSet(new URL(address), {
    cooldownDuration: 30_000,
    cacheMaxAge: keptFor,
    [customFetch]: (url, { headers, method }) => ask(of.id, url, { method, headers }),
  })
  return found.keys
}

/** Finds a provider's metadata anew. Throws `failed('connection')`. */
export async function findIssuer(of: Issuing): Promise<void> {
  await discover(of).catch(() => {
    throw failed('connection')
  })
}

/**
 * An OpenID provider as a directory that nobody can be read from: only its connection can be checked. The check finds
 * its metadata, and offers a code that doesn't exist, so that the provider says whether it knows the client.
 */
export function openid(of: Connection): Directory {
  const unread = async (): Promise<never> => {
    throw failed('connection')
  }
  return {
    async check() {
      const config = await discover({ ...of, type: 'oidc' }).catch(unread)
      const address = new URL(redirectTo(env().PUBLIC_URL.replace(/\/+$/, ''), of.id ?? crypto.randomUUID()))
      address.search = new URLSearchParams({
        code: crypto.randomUUID(),
        iss: config.serverMetadata().issuer,
      }).toString()
      try {
        await client.authorizationCodeGrant(config, address, { pkceCodeVerifier: client.randomPKCECodeVerifier() })
      } catch (error) {
        if (isClientRefused(error)) throw failed('secret')
        if (error instanceof client.ResponseBodyError) return null
      }
      throw failed('connection')
    },
    page: unread,
    isThere: unread,
  }
}

/** Whether a provider doesn't accept the client or its secret (RFC 6749, section 5.2; Keycloak says unauthorized_client). */
export const isClientRefused = (error: unknown): boolean =>
  (error instanceof client.ResponseBodyError && ['invalid_client', 'unauthorized_client'].includes(error.error)) ||
  (error instanceof client.WWWAuthenticateChallengeError && error.status === 401)
