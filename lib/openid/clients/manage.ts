import { db } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { maskedAddress } from '@/lib/base/text/masks'
import type * as calls from './contract'
import { UpdateClientKeysInput } from './contract'
import { selectClientsOf, selectRightsSince } from './queries'
import * as clients from './service'
import { failedLogoutNotices } from './traces'

/**
 * Returns the clients of an application for the administration. Addresses that the platform calls are masked unless
 * `editor`. It checks no access.
 */
export async function clientsOf(applicationId: string, now: Date, editor: boolean): Promise<calls.Client[]> {
  const visibleAddress = (address: string | null) => (address === null || editor ? address : maskedAddress(address))
  const rows = await selectClientsOf(db(), applicationId)
  const rightsSince = await selectRightsSince(applicationId)
  const failedNotices = await failedLogoutNotices(rows.map(({ clientId }) => clientId))
  return rows.map((row) => ({
    clientId: row.clientId,
    name: row.name,
    enabled: row.enabled,
    type: row.type,
    authMethod: row.authMethod,
    applicationType: row.applicationType,
    redirectUris: row.redirectUris,
    postLogoutRedirectUris: row.postLogoutRedirectUris,
    backchannelLogoutUri: visibleAddress(row.backchannelLogoutUri),
    allowedOrigins: row.allowedOrigins,
    givenUpNotices: failedNotices.get(row.clientId) ?? null,
    grantTypes: row.grantTypes,
    accessTokenLifespan: row.accessTokenLifespan,
    refreshTokenLifespan: row.refreshTokenLifespan,
    idTokenAlg: row.idTokenAlg,
    pkceRequired: row.pkceRequired,
    jwks: row.jwks ? JSON.stringify(row.jwks) : null,
    jwksUri: visibleAddress(row.jwksUri),
    secrets: clients.shownSecrets(row, now, rightsSince),
    updatedAt: row.updatedAt.toISOString(),
  }))
}

// service functions of the endpoints; each throws what the function of `clients` that it calls throws

/** Creates a client. Needs applications.write. */
export async function createClient(ctx: Ctx, { params, body }: ServiceInput<typeof calls.createClient>) {
  const { secret } = await clients.createClient(ctx, { ...body, applicationId: params.id })
  return { clientId: body.clientId, secret }
}

/** Replaces a client's fields. Needs applications.write. */
export async function updateClient(ctx: Ctx, { params, body }: ServiceInput<typeof calls.updateClient>) {
  await clients.updateClient(ctx, { ...body, ...params })
  return {}
}

/** Deletes a client. Needs applications.write. */
export async function deleteClient(ctx: Ctx, { params }: ServiceInput<typeof calls.deleteClient>) {
  await clients.deleteClient(ctx, params)
  return {}
}

/** Enables or disables a client. Needs applications.write. */
export async function enableClient(ctx: Ctx, { params, body }: ServiceInput<typeof calls.enableClient>) {
  await clients.enableClient(ctx, { ...params, ...body })
  return {}
}

/** Sets how a client proves itself, without keys. Needs applications.write. */
export async function updateClientAuthentication(
  ctx: Ctx,
  { params, body }: ServiceInput<typeof calls.updateClientAuthentication>,
) {
  return clients.updateClientAuthMethod(ctx, { ...params, ...body })
}

/** Parses the text of a key set. Throws 400 errorKey for invalid JSON. */
function keySet(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw fieldError('jwks', 'errorKey')
  }
}

/** Sets the keys of a client. Needs applications.write. Throws 400 by field, also for a text that isn't a key set. */
export async function updateClientKeys(ctx: Ctx, { params, body }: ServiceInput<typeof calls.updateClientKeys>) {
  const { jwks, jwksUri, updatedAt } = body
  const keys = jwks ? keySet(jwks) : undefined
  const input = UpdateClientKeysInput.safeParse({ ...params, jwksUri, ...(keys === undefined ? {} : { jwks: keys }) })
  if (!input.success) throw fieldError(jwks ? 'jwks' : 'jwksUri', jwks ? 'errorKey' : 'errorClientAddress')
  try {
    await clients.updateClientKeys(ctx, { ...input.data, updatedAt })
  } catch (error) {
    // the form has one field for all keys
    const [fault] = error instanceof AppError ? (error.data.errorList ?? []) : []
    if (fault?.field.startsWith('jwks.')) throw fieldError('jwks', fault.code)
    throw error
  }
  return {}
}

/** Returns a client's secret and writes an audit event. Needs applications.write. */
export async function readClientSecret(ctx: Ctx, { params }: ServiceInput<typeof calls.readClientSecret>) {
  return clients.readClientSecret(ctx, params)
}

/** Replaces a client's secret. Needs applications.write. */
export async function rotateClientSecret(ctx: Ctx, { params, body }: ServiceInput<typeof calls.rotateClientSecret>) {
  return clients.rotateClientSecret(ctx, { ...params, ...body })
}

/** Ends a client's previous secret. Needs applications.write. */
export async function endPreviousSecret(ctx: Ctx, { params }: ServiceInput<typeof calls.endPreviousSecret>) {
  await clients.endPreviousSecret(ctx, params)
  return {}
}
