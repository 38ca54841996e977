import { timingSafeEqual } from 'node:crypto'
import type { ClientMetadata } from 'oidc-provider'
import type { OidcSecret } from '@/db/schema/oidc'
import { requireMethod } from '@/lib/kernel/access'
import { audit } from '@/lib/kernel/audit'
import { cached } from '@/lib/kernel/cache'
import { changing } from '@/lib/kernel/change'
import { digest, randomToken, seal, unseal } from '@/lib/kernel/crypto/secrets'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, notFound } from '@/lib/kernel/errors'
import { lockClient, updateClient, usableClients } from './queries'

/** What applications, methods and clients are kept under: whatever changes one of them forgets it. */
const cacheName = 'oidc-clients'

type Usable = Awaited<ReturnType<typeof usableClients>>[number]

const clients = () =>
  cached(cacheName, async () => new Map((await usableClients()).map((client) => [client.clientId, client])))

/** A client that may be used now: enabled, of an enabled application; else null. */
export const usableClient = async (clientId: string): Promise<Usable | null> => (await clients()).get(clientId) ?? null

/** Names of the members of a client's metadata that are our own. */
export const lifespanNames = ['access_token_lifespan', 'refresh_token_lifespan'] as const

/** How a secret is stored; `clientId` must be the same when it is read. */
export const sealSecret = (secret: string, clientId: string): string => seal('clients', secret, clientId)

// as long as a client is kept, so are its secrets
const opened = new WeakMap<OidcSecret, string>()

function open(secret: OidcSecret, clientId: string): string {
  const known = opened.get(secret) ?? unseal('clients', secret.sealed, clientId)
  opened.set(secret, known)
  return known
}

const liveSecrets = ({ secrets, clientId }: Usable, now: Date) =>
  secrets
    .filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > now)
    .map((secret) => open(secret, clientId))

/** A client as the provider reads it; undefined when it may not be used. */
export async function clientMetadata(clientId: string, now: Date): Promise<ClientMetadata | undefined> {
  const client = await usableClient(clientId)
  if (!client) return undefined
  const { authMethod, jwks, jwksUri } = client
  const [secret] = liveSecrets(client, now)
  const bySecret = authMethod.startsWith('client_secret')
  if (bySecret && !secret) return undefined
  return {
    client_id: clientId,
    client_name: client.name,
    ...(bySecret ? { client_secret: secret } : {}),
    ...(authMethod === 'private_key_jwt' ? (jwks ? { jwks } : { jwks_uri: jwksUri ?? undefined }) : {}),
    token_endpoint_auth_method: authMethod,
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    grant_types: client.grantTypes,
    response_types: client.grantTypes.includes('authorization_code') ? ['code'] : [],
    ...(client.backchannelLogoutUri
      ? { backchannel_logout_uri: client.backchannelLogoutUri, backchannel_logout_session_required: true }
      : {}),
    ...(client.accessTokenLifespan ? { access_token_lifespan: client.accessTokenLifespan } : {}),
    ...(client.refreshTokenLifespan ? { refresh_token_lifespan: client.refreshTokenLifespan } : {}),
  }
}

/** Whether this is one of the client's secrets of the moment; two are while one takes the other's place. */
export async function isClientSecret(clientId: string, given: string, now: Date): Promise<boolean> {
  const client = await usableClient(clientId)
  if (!client) return false
  const asked = Buffer.from(digest(given))
  return liveSecrets(client, now)
    .map((secret) => timingSafeEqual(Buffer.from(digest(secret)), asked))
    .includes(true)
}

const change = async (
  ctx: Ctx,
  clientId: string,
  field: string,
  values: (row: NonNullable<Awaited<ReturnType<typeof lockClient>>>) => {
    set: { enabled?: boolean; secrets?: OidcSecret[] }
    previous: unknown
    current: unknown
  },
) => {
  requireMethod(ctx, 'applications.write')
  await changing(cacheName, async (tx) => {
    const row = await lockClient(tx, clientId)
    if (!row) throw notFound()
    const { set, previous, current } = values(row)
    await updateClient(tx, row.id, { ...set, updatedAt: ctx.now() })
    const changes = { [field]: { previous, current } }
    await audit(tx, ctx, { type: 'update', entity: 'oidcClients', entityId: row.id, changes })
  })
}

/** Lets a client be used or not, at once and in every process. Needs applications.write; throws 404. */
export const setClientEnabled = (ctx: Ctx, { clientId, enabled }: { clientId: string; enabled: boolean }) =>
  change(ctx, clientId, 'enabled', (row) => ({ set: { enabled }, previous: row.enabled, current: enabled }))

/**
 * Makes a new secret and gives it this once; the one before holds for `overlap` seconds more, older ones not.
 * Needs applications.write; throws 404, and 409 for a public client, which has none.
 */
export async function rotateSecret(ctx: Ctx, { clientId, overlap }: { clientId: string; overlap: number }) {
  const secret = randomToken()
  await change(ctx, clientId, 'secret', ({ type, secrets: [before] }) => {
    if (type === 'public') throw new AppError(409)
    const until = new Date(ctx.now().getTime() + overlap * 1000).toISOString()
    const fresh = { sealed: sealSecret(secret, clientId), expiresAt: null }
    return {
      set: { secrets: [fresh, ...(before ? [{ ...before, expiresAt: until }] : [])] },
      previous: '***',
      current: '***',
    }
  })
  return { secret }
}
