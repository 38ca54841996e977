import { db } from '@/db/client'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import {
  addAuthenticatorApp,
  authenticatorAppOf,
  dropAuthenticatorApp,
  newAppKey,
  renewRecoveryCodes as newRecoveryCodes,
  plainAppKey,
} from '@/lib/sign-in/factors/totp/apps'
import { issuerName } from '@/lib/sign-in/factors/totp/issuer'
import { qrCodeOf } from '@/lib/sign-in/factors/totp/qr'
import { keyAddress } from '@/lib/sign-in/factors/totp/totp'
import { requireFreshProof } from '../contact-details/recent'
import type * as calls from './contract'

/** Returns the second factors that the signed-in person has set up. Throws 401. */
export async function readOwnFactors(ctx: Ctx): Promise<calls.OwnFactors> {
  requireUser(ctx)
  const app = await authenticatorAppOf(ctx.user.id)
  return { authenticatorApp: app && { ...app, since: app.since.toISOString() } }
}

/** The session to which the key of a new app is bound. */
const boundTo = (ctx: Ctx) => `${ctx.user?.id} ${ctx.session?.id}`

/**
 * Returns the key of a new authenticator app of the signed-in person; stores nothing. Throws 401, 400 and 403 without a
 * fresh proof, 409 authenticatorKnown if the person has an app, 429.
 */
export async function startAuthenticatorApp(ctx: Ctx, { body }: ServiceInput<typeof calls.startAuthenticatorApp>) {
  requireUser(ctx)
  await requireFreshProof(ctx, body.password)
  if (await authenticatorAppOf(ctx.user.id)) throw new AppError(409, 'authenticatorKnown')
  const proof = newAppKey(boundTo(ctx))
  const key = plainAppKey(proof, boundTo(ctx))
  return { key, qr: qrCodeOf(keyAddress(await issuerName(ctx), ctx.user.login, key)), proof }
}

function keyOf(ctx: Ctx, proof: string): string {
  try {
    return plainAppKey(proof, boundTo(ctx))
  } catch {
    throw new AppError(409, 'authenticatorStale')
  }
}

/**
 * Stores the authenticator app whose key `startAuthenticatorApp` has returned in this session, and returns new recovery
 * codes. Throws 401, 400 errorCode for the field `code`, 409 authenticatorStale for another session's key, 409
 * authenticatorKnown.
 */
export async function confirmAuthenticatorApp(ctx: Ctx, { body }: ServiceInput<typeof calls.confirmAuthenticatorApp>) {
  requireUser(ctx)
  const { id } = ctx.user
  const key = keyOf(ctx, body.proof)
  const recoveryCodes = await db().transaction(async (tx) =>
    (await addAuthenticatorApp(tx, ctx, id, { key, code: body.code.replace(/\s/g, '') }))
      ? newRecoveryCodes(tx, ctx, id)
      : null,
  )
  if (recoveryCodes) return { recoveryCodes }
  if (await authenticatorAppOf(id)) throw new AppError(409, 'authenticatorKnown')
  throw fieldError('code', 'errorCode')
}

/** Removes the authenticator app of the signed-in person. Throws 401, 400 and 403 without a fresh proof, 404, 429. */
export async function removeAuthenticatorApp(ctx: Ctx, { body }: ServiceInput<typeof calls.removeAuthenticatorApp>) {
  requireUser(ctx)
  const { id } = ctx.user
  await requireFreshProof(ctx, body.password)
  if (!(await db().transaction((tx) => dropAuthenticatorApp(tx, ctx, id)))) throw notFound()
  return {}
}

/**
 * Replaces the recovery codes of the signed-in person. Throws 401, 400 and 403 without a fresh proof, 404 without an
 * authenticator app, 429.
 */
export async function renewRecoveryCodes(ctx: Ctx, { body }: ServiceInput<typeof calls.renewRecoveryCodes>) {
  requireUser(ctx)
  const { id } = ctx.user
  await requireFreshProof(ctx, body.password)
  if (!(await authenticatorAppOf(id))) throw notFound()
  return { recoveryCodes: await db().transaction((tx) => newRecoveryCodes(tx, ctx, id)) }
}
