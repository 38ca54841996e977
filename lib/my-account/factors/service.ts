import { z } from 'zod'
import { db } from '@/db/client'
import { keepingSignInOf } from '@/lib/access/rights/last-administrator'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { decrypt, encrypt } from '@/lib/base/crypto/encryption'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { endAttempts } from '@/lib/sign-in/attempts/attempt'
import {
  addAppWithCodes,
  authenticatorAppOf,
  dropAuthenticatorApp,
  renewRecoveryCodes as renewCodesOf,
} from '@/lib/sign-in/factors/totp/apps'
import { issuerName } from '@/lib/sign-in/factors/totp/issuer'
import { qrCodeOf } from '@/lib/sign-in/factors/totp/qr'
import { keyAddress, newKey, stepOfCode } from '@/lib/sign-in/factors/totp/totp'
import { hasOwnPassword } from '@/lib/sign-in/passwords/own-password'
import { isFreshSession, requireFreshProof } from '../contact-details/recent'
import { sendOwnCode } from '../own-code'
import { ownSetUpProofs, requireAppCode, requireSetUpProof } from '../set-up-proof'
import { changingFactors, lockSignedIn } from '../signed-in-change'
import type * as calls from './contract'

/** Milliseconds for which the key of a new app can be confirmed. */
const keyAlive = 15 * 60_000

/** Returns what a change of an app that the person has asks for: nothing in a fresh session, else the password. */
async function needsOfChange(ctx: Ctx): Promise<calls.OwnFactors['needs']> {
  if (await isFreshSession(ctx)) return []
  return (await hasOwnPassword(ctx)) ? ['password'] : null
}

/** Returns the second factors that the signed-in person has set up, and what a change asks for. Throws 401. */
export async function readOwnFactors(ctx: Ctx): Promise<calls.OwnFactors> {
  requireUser(ctx)
  const authenticatorApp = await authenticatorAppOf(ctx.user.id)
  if (authenticatorApp) return { authenticatorApp, needs: await needsOfChange(ctx) }
  const { needs } = await ownSetUpProofs(ctx)
  return { authenticatorApp, needs }
}

/**
 * Sends the code with which the signed-in person sets up an authenticator app or a passkey. Throws 401, 409
 * errorNoContact, 429, 503.
 */
export async function requestFactorsCode(ctx: Ctx) {
  requireUser(ctx)
  const { contacts } = await ownSetUpProofs(ctx)
  return sendOwnCode(ctx, 'factors', contacts)
}

/** The session in which a new key can be confirmed. */
const boundTo = (ctx: Ctx) => `${ctx.user?.id} ${ctx.session?.id}`

/** A new key in base32, until when it can be confirmed, and the hash of the e-mail that was proven for it. */
const KeyProof = z.object({ key: z.string(), end: z.number(), emailHash: z.string().nullable() })
type KeyProof = z.output<typeof KeyProof>

/**
 * Returns the key of a new authenticator app of the signed-in person; stores nothing. Throws 401, 409 authenticatorKnown
 * if the person has an app, and what `requireSetUpProof` throws.
 */
export async function startAuthenticatorApp(ctx: Ctx, { body }: ServiceInput<typeof calls.startAuthenticatorApp>) {
  requireUser(ctx)
  if (await authenticatorAppOf(ctx.user.id)) throw new AppError(409, 'authenticatorKnown')
  const { emailHash } = await requireSetUpProof(ctx, body)
  const key = newKey()
  const end = ctx.now().getTime() + keyAlive
  const proof: KeyProof = { key, end, emailHash }
  const qr = qrCodeOf(keyAddress(await issuerName(ctx), ctx.user.login, key))
  return { key, qr, proof: encrypt('factors', JSON.stringify(proof), boundTo(ctx)) }
}

/** Returns what a proof of `startAuthenticatorApp` holds. Throws 409 authenticatorStale. */
function readProof(ctx: Ctx, proof: string): KeyProof {
  try {
    const keyProof = KeyProof.parse(JSON.parse(decrypt('factors', proof, boundTo(ctx))))
    if (keyProof.end > ctx.now().getTime()) return keyProof
  } catch {
    // of another session, or broken: answered like a late one
  }
  throw new AppError(409, 'authenticatorStale')
}

/**
 * Stores the authenticator app whose key `startAuthenticatorApp` has returned in this session, and returns new recovery
 * codes. Throws 401, 400 errorCode for the field `code`, 409 authenticatorStale for a key that is too old or another
 * session's, 409 authenticatorKnown.
 */
export async function confirmAuthenticatorApp(ctx: Ctx, { body }: ServiceInput<typeof calls.confirmAuthenticatorApp>) {
  requireUser(ctx)
  const { id } = ctx.user
  const { key, emailHash } = readProof(ctx, body.proof)
  const step = stepOfCode(key, body.code.replace(/\s/g, ''), ctx.now())
  const { id: sessionId = '' } = ctx.session ?? {}
  const recoveryCodes =
    step === null
      ? null
      : await changingFactors(ctx, (tx) => addAppWithCodes(tx, ctx, id, { key, step, sessionId, emailHash }))
  if (recoveryCodes) return { recoveryCodes }
  if (await authenticatorAppOf(id)) throw new AppError(409, 'authenticatorKnown')
  throw fieldError('code', 'errorCode')
}

/**
 * Requires what a change of the app asks for: its code or a recovery code, which is used up, and a fresh session or the
 * password. Throws 404 without an app, 400 by field, 403 signInAgain, 429.
 */
async function requireChangeProof(ctx: Ctx, userId: string, { password, code }: { password?: string; code: string }) {
  if (!(await authenticatorAppOf(userId))) throw notFound()
  await requireFreshProof(ctx, password)
  await requireAppCode(ctx, 'code', code)
}

/**
 * Removes the authenticator app of the signed-in person. Throws 401, 409 lastAdministrator, and what
 * `requireChangeProof` throws.
 */
export async function removeAuthenticatorApp(ctx: Ctx, { body }: ServiceInput<typeof calls.removeAuthenticatorApp>) {
  requireUser(ctx)
  const { id } = ctx.user
  await requireChangeProof(ctx, id, body)
  const isRemoved = await db().transaction((tx) =>
    keepingSignInOf(tx, id, async () => {
      await lockSignedIn(tx, ctx)
      // the app may have been proven in one
      await endAttempts(tx, id, ctx.now())
      return dropAuthenticatorApp(tx, ctx, id)
    }),
  )
  if (!isRemoved) throw notFound()
  return {}
}

/** Replaces the recovery codes of the signed-in person. Throws 401, and what `requireChangeProof` throws. */
export async function renewRecoveryCodes(ctx: Ctx, { body }: ServiceInput<typeof calls.renewRecoveryCodes>) {
  requireUser(ctx)
  const { id } = ctx.user
  await requireChangeProof(ctx, id, body)
  const recoveryCodes = await changingFactors(ctx, (tx) => renewCodesOf(tx, ctx, id))
  if (!recoveryCodes) throw notFound()
  return { recoveryCodes }
}
