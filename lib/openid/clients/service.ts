import { timingSafeEqual } from 'node:crypto'
import type { ClientMetadata } from 'oidc-provider'
import { db } from '@/db/client'
import type { OidcSecret, oidcClients } from '@/db/schema/oidc'
import { lockApplication } from '@/lib/applications/applications/service'
import { audit, auditEvent } from '@/lib/base/audit/audit'
import { changing, requireUnchanged } from '@/lib/base/audit/change'
import { recorded } from '@/lib/base/audit/entity'
import { cached } from '@/lib/base/cache/cache'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { decrypt, digest, encrypt, randomToken } from '@/lib/base/crypto/encryption'
import { env } from '@/lib/base/runtime/env'
import { AppError, type FieldError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { isMaskedAddress } from '@/lib/base/text/masks'
import { platformSettings } from '@/lib/site/settings/service'
import {
  type CreateClientInput,
  deviceGrant,
  isLoopback,
  isPropertyOfObjects,
  isWildcard,
  type offeredGrants,
  type UpdateClientAuthMethodInput,
  type UpdateClientInput,
  type UpdateClientKeysInput,
  type UpdateClientPkceInput,
} from './contract'
import { clientEntity } from './entity'
import { publicKeys } from './public-keys'
import { hasClient, insertClient, lockClient, removeClient, selectUsableClients, storeClient } from './queries'
import { requireUsedMethodsHeld } from './used-methods'

/** The cache of clients with their applications and methods. Every change of one of these invalidates it. */
const cacheName = 'oidc-clients'

type UsableClient = Awaited<ReturnType<typeof selectUsableClients>>[number]

const readClients = () =>
  cached(cacheName, async () => {
    const clients = (await selectUsableClients()).filter(({ clientId }) => !isPropertyOfObjects(clientId))
    return new Map(clients.map((client) => [client.clientId, client]))
  })

/** Returns a client that may be used now: enabled, and of an enabled application; else null. */
export const usableClient = async (clientId: string): Promise<UsableClient | null> =>
  (await readClients()).get(clientId) ?? null

/** Names of our own members in a client's metadata. */
export const lifespanNames = ['access_token_lifespan', 'refresh_token_lifespan'] as const
export const ownMetadataNames = [...lifespanNames, 'without_pkce', 'allowed_origins'] as const

type ClientKind = { type: 'confidential' | 'public'; applicationType: 'web' | 'native' }
/**
 * Returns whether a client may go without PKCE. A secret that is shipped with a program proves nothing, so native
 * clients always need PKCE (RFC 8252, 6 and 8.5).
 */
const maySkipPkce = ({ type, applicationType }: ClientKind) => type === 'confidential' && applicationType === 'web'

/** Encrypts a secret for storage; decryption needs the same `clientId`. */
export const encryptSecret = (secret: string, clientId: string): string => encrypt('clients', secret, clientId)

// decrypted secrets stay in memory for as long as their client is cached
const decryptedSecrets = new WeakMap<OidcSecret, string>()

function decryptSecret(secret: OidcSecret, clientId: string): string {
  const text = decryptedSecrets.get(secret) ?? decrypt('clients', secret.sealed, clientId)
  decryptedSecrets.set(secret, text)
  return text
}

const validSecrets = ({ secrets, clientId }: UsableClient, now: Date) =>
  secrets
    .filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > now)
    .map((secret) => decryptSecret(secret, clientId))

/** Returns the metadata of a client in the form of oidc-provider; undefined when it may not be used. */
export async function clientMetadata(clientId: string, now: Date): Promise<ClientMetadata | undefined> {
  const client = await usableClient(clientId)
  if (!client) return undefined
  const { authMethod, jwks, jwksUri } = client
  const [secret] = validSecrets(client, now)
  const bySecret = provesBySecret(authMethod)
  if (bySecret && !secret) return undefined
  // older rows may hold addresses that are refused now
  const redirectUris = client.redirectUris.filter((address) => !isWildcard(address))
  return {
    client_id: clientId,
    client_name: client.name,
    ...(bySecret ? { client_secret: secret } : {}),
    ...(authMethod === 'private_key_jwt' ? (jwks ? { jwks } : { jwks_uri: jwksUri ?? undefined }) : {}),
    token_endpoint_auth_method: authMethod,
    application_type: client.applicationType,
    redirect_uris: redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris.filter((address) => !isWildcard(address)),
    grant_types: client.grantTypes,
    response_types: client.grantTypes.includes('authorization_code') && redirectUris.length > 0 ? ['code'] : [],
    id_token_signed_response_alg: client.idTokenAlg,
    ...(!client.pkceRequired && maySkipPkce(client) ? { without_pkce: true } : {}),
    ...(client.allowedOrigins.length > 0 ? { allowed_origins: client.allowedOrigins } : {}),
    ...(client.backchannelLogoutUri
      ? { backchannel_logout_uri: client.backchannelLogoutUri, backchannel_logout_session_required: true }
      : {}),
    ...(client.accessTokenLifespan ? { access_token_lifespan: client.accessTokenLifespan } : {}),
    ...(client.refreshTokenLifespan ? { refresh_token_lifespan: client.refreshTokenLifespan } : {}),
  }
}

/** Returns whether this is a valid secret of the client; during a rotation there are two. */
export async function isClientSecret(clientId: string, candidate: string, now: Date): Promise<boolean> {
  const client = await usableClient(clientId)
  if (!client) return false
  const candidateDigest = Buffer.from(digest(candidate))
  return validSecrets(client, now)
    .map((secret) => timingSafeEqual(Buffer.from(digest(secret)), candidateDigest))
    .includes(true)
}

/**
 * Returns a client's valid secrets for the administration: the last characters of each, since when and until when it is
 * valid, and whether it is older than the newest method of the application's service account.
 */
export const shownSecrets = (
  { secrets, clientId }: Pick<UsableClient, 'secrets' | 'clientId'>,
  now: Date,
  rightsSince: Date | null,
) =>
  secrets
    .filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > now)
    .map((secret) => ({
      tail: decryptSecret(secret, clientId).slice(-4),
      since: secret.createdAt ?? null,
      until: secret.expiresAt,
      beforeRights: rightsSince !== null && (!secret.createdAt || new Date(secret.createdAt) < rightsSince),
    }))

const provesBySecret = (authMethod: string) => authMethod.startsWith('client_secret')

type ClientVersion = { clientId: string; updatedAt?: string | undefined }
type ClientRow = NonNullable<Awaited<ReturnType<typeof lockClient>>>
type Settings = Awaited<ReturnType<typeof platformSettings>>
type Values = Partial<Omit<typeof oidcClients.$inferInsert, 'id' | 'clientId' | 'applicationId'>>

/** Returns the audited fields of a client; of its secrets only that they have changed. */
const auditedFieldsOf = <R extends Pick<ClientRow, 'secrets'>>(row: R) => ({
  ...recorded(clientEntity, row),
  secret: row.secrets.length > 0 ? row.secrets.map(({ sealed }) => sealed) : null,
})

/** Locks a client and stores the `values` for it. Throws 401, 403, 404 and 409, and what `lockApplication` throws. */
async function change(ctx: Ctx, { clientId, updatedAt }: ClientVersion, values: (row: ClientRow) => Values) {
  requireMethod(ctx, 'applications.write')
  await changing(cacheName, async (tx) => {
    const row = requireUnchanged(await lockClient(tx, clientId), updatedAt)
    await lockApplication(tx, ctx, row.applicationId, 'clients')
    const changes = values(row)
    if (await audit(tx, ctx, clientEntity, row.id, auditedFieldsOf(row), auditedFieldsOf({ ...row, ...changes })))
      await storeClient(tx, row.id, changes)
  })
}

const freshSecret = (secret: string, clientId: string, now: Date): OidcSecret => ({
  sealed: encryptSecret(secret, clientId),
  expiresAt: null,
  createdAt: now.toISOString(),
})

/** Enables or disables a client, at once and in every process. Needs applications.write; throws like `change`. */
export const enableClient = (ctx: Ctx, { enabled, ...client }: ClientVersion & { enabled: boolean }) =>
  change(ctx, client, () => ({ enabled }))

/**
 * Creates a new secret and returns it, this once. The previous one stays valid for `overlap` seconds; older ones do
 * not. Needs applications.write; throws like `change`, and 409 clientWithoutSecret.
 */
export async function rotateClientSecret(ctx: Ctx, { overlap, ...client }: ClientVersion & { overlap: number }) {
  const secret = randomToken()
  await change(ctx, client, ({ authMethod, secrets: [current] }) => {
    if (!provesBySecret(authMethod)) throw new AppError(409, 'clientWithoutSecret')
    const until = new Date(ctx.now().getTime() + overlap * 1000).toISOString()
    const previous = current && overlap > 0 ? [{ ...current, expiresAt: until }] : []
    return { secrets: [freshSecret(secret, client.clientId, ctx.now()), ...previous] }
  })
  return { secret }
}

/**
 * Replaces the secrets of a client by one that it has elsewhere; if that is its newest secret already, nothing changes.
 * Needs applications.write; throws like `change`, and 409 clientWithoutSecret.
 */
export const setClientSecret = (ctx: Ctx, { clientId, secret }: { clientId: string; secret: string }) =>
  change(ctx, { clientId }, ({ authMethod, secrets }) => {
    if (!provesBySecret(authMethod)) throw new AppError(409, 'clientWithoutSecret')
    const [newest] = secrets
    if (newest && decryptSecret(newest, clientId) === secret) return {}
    return { secrets: [freshSecret(secret, clientId, ctx.now())] }
  })

/**
 * Sets whether a client authenticates by a secret or not at all, and removes its keys. Returns a new secret, this once,
 * if the client had none. Needs applications.write; throws like `change`, and 400 for a client without authentication
 * that may use client_credentials.
 */
export async function updateClientAuthMethod(
  ctx: Ctx,
  { clientId, authMethod, updatedAt }: UpdateClientAuthMethodInput & { updatedAt?: string | undefined },
) {
  let newSecret: string | null = null
  await change(ctx, { clientId, updatedAt }, ({ grantTypes, secrets, authMethod: methodBefore }) => {
    const keys = { jwks: null, jwksUri: null }
    if (authMethod === 'none') {
      if (grantTypes.includes('client_credentials')) throw fieldError('authMethod', 'errorPublicClient')
      return { ...keys, authMethod, type: 'public', secrets: [], pkceRequired: true }
    }
    if (provesBySecret(methodBefore) && secrets.length > 0)
      return { ...keys, authMethod, type: 'confidential', secrets }
    newSecret = randomToken()
    return { ...keys, authMethod, type: 'confidential', secrets: [freshSecret(newSecret, clientId, ctx.now())] }
  })
  return { secret: newSecret as string | null }
}

/**
 * Sets the public keys of a client, or their address, for private_key_jwt, and removes its secrets. Needs
 * applications.write; throws like `change`, and 400 by field for private or unusable keys.
 */
export async function updateClientKeys(
  ctx: Ctx,
  { clientId, jwks: keySet, jwksUri, updatedAt }: UpdateClientKeysInput & { updatedAt?: string | undefined },
) {
  requireMethod(ctx, 'applications.write')
  const jwks = keySet ? publicKeys(keySet.keys) : null
  if (jwks && 'errorList' in jwks) throw new AppError(400, undefined, jwks)
  if (jwksUri && !isReachable(jwksUri)) throw fieldError('jwksUri', 'errorClientAddress')
  const proof = { authMethod: 'private_key_jwt', type: 'confidential', jwks, jwksUri: jwksUri ?? null } as const
  await change(ctx, { clientId, updatedAt }, () => ({ ...proof, secrets: [] }))
}

/**
 * Sets whether a client's authorization requests must use PKCE; a challenge that is sent is always checked. Needs
 * applications.write; throws like `change`, and 400 for clients that must use PKCE: without authentication, or native.
 */
export const updateClientPkce = (ctx: Ctx, { clientId, required }: UpdateClientPkceInput) =>
  change(ctx, { clientId }, (row) => {
    if (!required && !maySkipPkce(row)) throw fieldError('required', 'errorPkceNeeded')
    return { pkceRequired: required }
  })

/**
 * Returns whether the OpenID Provider may call an address: not a masked one, and in production not one of this machine.
 */
const isReachable = (address: string) =>
  !isMaskedAddress(address) && (env().PLATFORM_MODE !== 'production' || !isLoopback(address))

/** Returns the errors of a client's values in combination with each other and with the settings. */
function faultsOf(
  input: Omit<UpdateClientInput, 'updatedAt'>,
  { authMethod }: Pick<ClientRow, 'authMethod'>,
  settings: Settings,
): FieldError[] {
  const { grantTypes, redirectUris, backchannelLogoutUri: logout, accessTokenLifespan, refreshTokenLifespan } = input
  const has = (grant: (typeof offeredGrants)[number]) => grantTypes.includes(grant)
  const faults: FieldError[] = []
  if (has('authorization_code') && redirectUris.length === 0) faults.push({ field: 'redirectUris', code: 'errorEmpty' })
  if (has('refresh_token') && !has('authorization_code') && !has(deviceGrant))
    faults.push({ field: 'grantTypes', code: 'errorRefreshGrant' })
  if (has('client_credentials') && authMethod === 'none')
    faults.push({ field: 'grantTypes', code: 'errorPublicClient' })
  if (logout && !isReachable(logout)) faults.push({ field: 'backchannelLogoutUri', code: 'errorClientAddress' })
  const access = accessTokenLifespan ?? settings.accessTokenLifespan
  if (has('refresh_token') && (refreshTokenLifespan ?? settings.refreshTokenLifespan) <= access)
    faults.push({
      field: refreshTokenLifespan === null ? 'accessTokenLifespan' : 'refreshTokenLifespan',
      code: 'errorRefreshTokenLifespan',
    })
  return faults
}

/**
 * Replaces a client's name, type, addresses, grants, lifespans and algorithm, at once and in every process. Needs
 * applications.write; throws like `change`, 400 by field, and 409 if somebody saved since `updatedAt`.
 */
export async function updateClient(ctx: Ctx, input: UpdateClientInput) {
  const { clientId, updatedAt, pkceRequired, allowedOrigins, ...fields } = input
  // read before the transaction, which has only one connection
  const settings = await platformSettings()
  await change(ctx, { clientId, updatedAt }, (row) => {
    const errorList = faultsOf(input, row, settings)
    const maySkip = maySkipPkce({ ...row, ...fields })
    if (pkceRequired === false && !maySkip) errorList.push({ field: 'pkceRequired', code: 'errorPkceNeeded' })
    if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
    return {
      ...fields,
      allowedOrigins: allowedOrigins ?? row.allowedOrigins,
      pkceRequired: maySkip ? (pkceRequired ?? row.pkceRequired) : true,
    }
  })
}

/**
 * Creates a client of an application. Returns its secret, this once; null for one without authentication. Needs
 * applications.write; throws what `lockApplication` throws, and 400 by field, also for an id that is taken.
 */
export async function createClient(ctx: Ctx, input: CreateClientInput): Promise<{ secret: string | null }> {
  requireMethod(ctx, 'applications.write')
  const { applicationId, clientId, authMethod, allowedOrigins = [], ...fields } = input
  // read before the transaction, which has only one connection
  const errorList = faultsOf(input, { authMethod }, await platformSettings())
  const secret = provesBySecret(authMethod) ? randomToken() : null
  const type = secret ? ('confidential' as const) : ('public' as const)
  if (!fields.pkceRequired && !maySkipPkce({ ...fields, type }))
    errorList.push({ field: 'pkceRequired', code: 'errorPkceNeeded' })
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  const values = {
    ...fields,
    allowedOrigins,
    authMethod,
    type,
    secrets: secret ? [freshSecret(secret, clientId, ctx.now())] : [],
  }
  await changing(cacheName, async (tx) => {
    await lockApplication(tx, ctx, applicationId, 'clients')
    const row = await insertClient(tx, { ...values, applicationId, clientId, createdAt: ctx.now() })
    if (!row) throw fieldError('clientId', 'errorUnique')
    await audit(tx, ctx, clientEntity, row.id, null, { ...auditedFieldsOf(values), applicationId, clientId })
  })
  return { secret }
}

/** Ends the previous secret of a client at once. Needs applications.write; throws like `change`, and 404 without one. */
export const endPreviousSecret = (ctx: Ctx, { clientId }: { clientId: string }) =>
  change(ctx, { clientId }, ({ secrets: [newest, previous] }) => {
    if (!newest || !previous) throw notFound()
    return { secrets: [newest] }
  })

/**
 * Deletes a client with its consents and everything that was issued to it. Needs applications.write. Throws 404, what
 * `lockApplication` throws, and 403 forbiddenClient if a role or a service account has a method of its application that
 * the caller may not take: a client with the same id, of an application without methods, would let everybody in.
 */
export async function deleteClient(ctx: Ctx, { clientId }: { clientId: string }) {
  requireMethod(ctx, 'applications.write')
  await changing(cacheName, async (tx) => {
    const row = await lockClient(tx, clientId)
    if (!row) throw notFound()
    await lockApplication(tx, ctx, row.applicationId, 'clients')
    await requireUsedMethodsHeld(tx, ctx, row.applicationId, 'forbiddenClient')
    await removeClient(tx, row)
    await audit(tx, ctx, clientEntity, row.id, auditedFieldsOf(row), null)
  })
}

/**
 * Returns the current secret of a client and records that it was read. Needs applications.write, because reading a
 * secret is a write (docs/rules/access.md#secrets). Throws 404, 409 clientWithoutSecret, and what `lockApplication`
 * throws.
 */
export async function readClientSecret(ctx: Ctx, { clientId }: { clientId: string }): Promise<{ secret: string }> {
  requireMethod(ctx, 'applications.write')
  return db().transaction(async (tx) => {
    const row = await lockClient(tx, clientId)
    if (!row) throw notFound()
    await lockApplication(tx, ctx, row.applicationId, 'clients')
    const [newest] = row.secrets
    if (!newest || !provesBySecret(row.authMethod)) throw new AppError(409, 'clientWithoutSecret')
    await auditEvent(tx, ctx, clientEntity, row.id, 'update', { secretRead: ctx.now() })
    return { secret: decryptSecret(newest, clientId) }
  })
}

/** Returns whether there is a client with this id, enabled or not. */
export const isKnownClient = (clientId: string): Promise<boolean> => hasClient(clientId)

/** Records that the caller begins a trial sign-in with a client. Throws 404. */
export async function recordTrial(ctx: Ctx, clientId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const row = await lockClient(tx, clientId)
    if (!row) throw notFound()
    await auditEvent(tx, ctx, clientEntity, row.id, 'update', { tried: ctx.now() })
  })
}
