import type { AuthenticatorTransport } from '@simplewebauthn/server'
import { z } from 'zod'
import { db } from '@/db/client'
import { keepingSignInOf } from '@/lib/access/rights/last-administrator'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { decrypt, encrypt, randomToken } from '@/lib/base/crypto/encryption'
import { relyingPartyId } from '@/lib/base/http/relying-party'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { log } from '@/lib/base/runtime/log'
import { endAttempts } from '@/lib/sign-in/attempts/attempt'
import { passkeyUse } from '@/lib/sign-in/attempts/passkey-use'
import { deviceName } from '@/lib/sign-in/device'
import { authenticatorName } from '@/lib/sign-in/factors/passkey/authenticators'
import type { NewPasskey } from '@/lib/sign-in/factors/passkey/credential'
import {
  credentialsOf,
  dropPasskeys,
  mostPasskeys,
  type NewPasskeyValues,
  passkeysOf,
  renamePasskey as renamePasskeyOf,
  addPasskey as storePasskey,
} from '@/lib/sign-in/factors/passkey/passkeys'
import { userHandle } from '@/lib/sign-in/factors/passkey/prove'
import { issuerName } from '@/lib/sign-in/factors/totp/issuer'
import { requireFreshProof } from '../contact-details/recent'
import { ownSetUpProofs, requireSetUpProof } from '../set-up-proof'
import { changingFactors, lockSignedIn } from '../signed-in-change'
import type * as calls from './contract'

/** Milliseconds for which a browser's new passkey can be sent. */
const challengeAlive = 15 * 60_000
/** The algorithms of keys, best first: Ed25519, ECDSA with P-256, RSA (RFC 9053; RFC 8812, section 2). */
const algorithms = [-8, -7, -257]

/**
 * Returns the passkeys of the signed-in person, whether they sign in with them, and what setting up another one asks for.
 * Throws 401.
 */
export async function listOwnPasskeys(ctx: Ctx): Promise<calls.OwnPasskeys> {
  requireUser(ctx)
  const { id } = ctx.user
  const [passkeys, credentials, { signIn }, { needs }] = await Promise.all([
    passkeysOf(id),
    credentialsOf(id),
    passkeyUse(id),
    ownSetUpProofs(ctx),
  ])
  const signal = {
    rpId: relyingPartyId() ?? '',
    userId: userHandle(id).toString('base64url'),
    allAcceptedCredentialIds: credentials.map((credential) => credential.id),
  }
  return { passkeys, signIn, needs, signal }
}

/** The session in which a new passkey can be sent. */
const boundTo = (ctx: Ctx) => `passkey ${ctx.user?.id} ${ctx.session?.id}`

/** A challenge, until when it can be answered, and the hash of the e-mail that was proven for the passkey. */
const ChallengeProof = z.object({ challenge: z.string(), end: z.number(), emailHash: z.string().nullable() })
type ChallengeProof = z.output<typeof ChallengeProof>

/**
 * Returns what a browser needs to make a passkey of the signed-in person; stores nothing. Throws 401, 404 if the platform
 * has no passkeys, 409 passkeyLimit, and what `requireSetUpProof` throws (Web Authentication, section 7.1).
 */
export async function startPasskey(ctx: Ctx, { body }: ServiceInput<typeof calls.startPasskey>) {
  requireUser(ctx)
  const { id, login } = ctx.user
  const rpID = relyingPartyId()
  if (!rpID) throw notFound()
  const credentials = await credentialsOf(id)
  if (credentials.length >= mostPasskeys) throw new AppError(409, 'passkeyLimit')
  const { emailHash } = await requireSetUpProof(ctx, body)
  const challenge = randomToken()
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: await issuerName(ctx),
    rpID,
    userID: new Uint8Array(userHandle(id)),
    userName: login,
    userDisplayName: login,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: challengeAlive,
    excludeCredentials: credentials.map((credential) => ({
      id: credential.id,
      transports: credential.transports as AuthenticatorTransport[],
    })),
    // the sign-in page knows no identifier when it asks for a passkey
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
  const proof: ChallengeProof = { challenge, end: ctx.now().getTime() + challengeAlive, emailHash }
  return { options: { ...options }, proof: encrypt('factors', JSON.stringify(proof), boundTo(ctx)) }
}

/** Returns what a proof of `startPasskey` holds. Throws 409 passkeyStale. */
function readProof(ctx: Ctx, proof: string): ChallengeProof {
  try {
    const challengeProof = ChallengeProof.parse(JSON.parse(decrypt('factors', proof, boundTo(ctx))))
    if (challengeProof.end > ctx.now().getTime()) return challengeProof
  } catch {
    // of another session, or broken: answered like a late one
  }
  throw new AppError(409, 'passkeyStale')
}

/**
 * Returns what is stored of a passkey that a browser has made for this challenge, on a page of this domain, with an
 * authenticator that verified the person. Throws 400 errorPasskey for any other one.
 */
async function madeFor(ctx: Ctx, challenge: string, { id, rawId, type, response }: NewPasskey) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { clientDataJSON, attestationObject } = response
  const transports = response.transports as AuthenticatorTransport[] | undefined
  const made = await verifyRegistrationResponse({
    response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: ctx.domain.origin,
    expectedRPID: relyingPartyId() ?? '',
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch((error) => {
    log.debug({ err: error, requestId: ctx.requestId }, 'a new passkey was refused')
    return null
  })
  if (!made?.verified) throw fieldError('passkey', 'errorPasskey')
  const { aaguid, credential, credentialDeviceType, credentialBackedUp } = made.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    signCount: credential.counter,
    transports: transports ?? [],
    aaguid,
    isSynced: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
    name: authenticatorName(aaguid) ?? deviceName(ctx),
  }
}

/**
 * Stores a passkey that a browser has made with the options of `startPasskey`. Throws 401, 400 errorPasskey, 409
 * passkeyStale for a proof that is too old or another session's, passkeyKnown, passkeyLimit.
 */
export async function addPasskey(ctx: Ctx, { body }: ServiceInput<typeof calls.addPasskey>) {
  requireUser(ctx)
  const { id } = ctx.user
  const { challenge, emailHash } = readProof(ctx, body.proof)
  const { id: sessionId = '' } = ctx.session ?? {}
  const values: NewPasskeyValues = { ...(await madeFor(ctx, challenge, body.passkey)), sessionId, emailHash }
  await changingFactors(ctx, (tx) => storePasskey(tx, ctx, id, values))
  return {}
}

/** Names a passkey of the signed-in person. Throws 401, 404. */
export async function renamePasskey(ctx: Ctx, { params, body }: ServiceInput<typeof calls.renamePasskey>) {
  requireUser(ctx)
  const { id: userId } = ctx.user
  const passkey = { id: params.id, name: body.name }
  if (!(await changingFactors(ctx, (tx) => renamePasskeyOf(tx, ctx, userId, passkey)))) throw notFound()
  return {}
}

/**
 * Removes a passkey of the signed-in person. Throws 401, 404, 400 for the field `password`, 403 signInAgain, 409
 * passkeyOnlyWay if nothing else signs them in, lastAdministrator, 429.
 */
export async function removePasskey(ctx: Ctx, { params, body }: ServiceInput<typeof calls.removePasskey>) {
  requireUser(ctx)
  const { id: userId } = ctx.user
  const before = await credentialsOf(userId)
  await requireFreshProof(ctx, body.password)
  if (before.length === 1 && (await passkeyUse(userId)).isOnlyWay) throw new AppError(409, 'passkeyOnlyWay')
  const removed = await db().transaction((tx) =>
    keepingSignInOf(tx, userId, async () => {
      await lockSignedIn(tx, ctx)
      // it may have been proven in one
      await endAttempts(tx, userId, ctx.now())
      return dropPasskeys(tx, ctx, userId, (row) => row.id === params.id)
    }),
  )
  if (removed.length === 0) throw notFound()
  return {}
}
