import type { AuthenticatorTransport } from '@simplewebauthn/server'
import { z } from 'zod'
import { db } from '@/db/client'
import { keepingSignInOf } from '@/lib/access/rights/last-administrator'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { decrypt, digest, encrypt, randomToken } from '@/lib/base/crypto/encryption'
import { relyingPartyId } from '@/lib/base/http/relying-party'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { log } from '@/lib/base/runtime/log'
import { endAttempts } from '@/lib/sign-in/attempts/attempt'
import { passkeyUse } from '@/lib/sign-in/attempts/passkey-use'
import { deviceName } from '@/lib/sign-in/device'
import { authenticatorName } from '@/lib/sign-in/factors/passkey/authenticators'
import { takeNewChallenge } from '@/lib/sign-in/factors/passkey/challenge'
import type { NewPasskey } from '@/lib/sign-in/factors/passkey/credential'
import {
  credentialsOf,
  dropPasskeys,
  hasPasskeyOf,
  mostPasskeys,
  type NewPasskeyValues,
  passkeysOf,
  renamePasskey as renamePasskeyOf,
  addPasskey as storePasskey,
} from '@/lib/sign-in/factors/passkey/passkeys'
import { userHandle } from '@/lib/sign-in/factors/passkey/prove'
import { issuerName } from '@/lib/sign-in/factors/totp/issuer'
import { endUserSessions } from '@/lib/sign-in/sessions/service'
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

/**
 * A challenge, until when it can be answered, a digest of the passkeys that there were, and the hash of the e-mail that
 * was proven for the new one.
 */
const ChallengeProof = z.object({
  challenge: z.string(),
  end: z.number(),
  known: z.string(),
  emailHash: z.string().nullable(),
})
type ChallengeProof = z.output<typeof ChallengeProof>

/**
 * Returns what a browser needs to make a passkey of the signed-in person; stores nothing. Throws 401, 404 if the platform
 * has no passkeys, 409 passkeyLimit, and what `requireSetUpProof` throws (WebAuthn, section 7.1).
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
  const end = ctx.now().getTime() + challengeAlive
  const proof: ChallengeProof = { challenge, end, known: digestOf(credentials), emailHash }
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
  throw stale()
}

const stale = () => new AppError(409, 'passkeyStale')
/** Returns a digest of the passkeys of a person. */
const digestOf = (credentials: readonly { id: string }[]) => digest(credentials.map(({ id }) => id).join())

/**
 * Returns whether a new passkey comes without the word of its maker, as it was asked for: without attestation, or signed
 * by its own key (WebAuthn, section 8.2). The library follows the addresses in certificates of others.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
    const format = attestation.get('fmt')
    return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}

/**
 * Returns what is stored of a passkey that a browser has made for this challenge, on a page of this domain, with an
 * authenticator that verified the person. Throws 400 errorPasskey for any other one.
 */
async function madeFor(ctx: Ctx, challenge: string, { id, rawId, type, response }: NewPasskey) {
  const { clientDataJSON, attestationObject } = response
  if (!(await isUnattested(attestationObject))) throw fieldError('passkey', 'errorPasskey')
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
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
  if (!made?.verified || made.registrationInfo.credential.id !== id) throw fieldError('passkey', 'errorPasskey')
  const { aaguid, credential, credentialDeviceType, credentialBackedUp } = made.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    signCount: credential.counter,
    transports: transports ?? [],
    aaguid,
    isSynced: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
    name: (authenticatorName(aaguid) ?? deviceName(ctx)) || 'Passkey',
  }
}

/**
 * Stores a passkey that a browser has made with the options of `startPasskey`. Throws 401, 400 errorPasskey, 409
 * passkeyStale for a proof that is too old, another session's or used, and if a passkey was added or removed meanwhile;
 * passkeyKnown.
 */
export async function addPasskey(ctx: Ctx, { body }: ServiceInput<typeof calls.addPasskey>) {
  requireUser(ctx)
  const { id } = ctx.user
  const { challenge, known, emailHash } = readProof(ctx, body.proof)
  const { id: sessionId = '' } = ctx.session ?? {}
  const values: NewPasskeyValues = { ...(await madeFor(ctx, challenge, body.passkey)), sessionId, emailHash }
  if (!(await takeNewChallenge(challenge))) throw stale()
  await changingFactors(ctx, async (tx) => {
    // who removes a passkey also stops one that is on its way
    if (digestOf(await credentialsOf(id, tx)) !== known) throw stale()
    await storePasskey(tx, ctx, id, values)
  })
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
 * Removes a passkey of the signed-in person, and ends all other sessions. Throws 401, 404, what `requireSetUpProof`
 * throws, 409 passkeyOnlyWay if nothing else signs them in, lastAdministrator.
 */
export async function removePasskey(ctx: Ctx, { params, body }: ServiceInput<typeof calls.removePasskey>) {
  requireUser(ctx)
  const { id: userId } = ctx.user
  if (!(await hasPasskeyOf(userId, params.id))) throw notFound()
  await requireSetUpProof(ctx, body)
  const { isOnlyWay } = await passkeyUse(userId)
  const afterCommit = await db().transaction(async (tx) => {
    const dropped = await keepingSignInOf(tx, userId, async () => {
      await lockSignedIn(tx, ctx)
      // it may have been proven in one
      await endAttempts(tx, userId, ctx.now())
      return dropPasskeys(tx, ctx, userId, (row) => row.id === params.id)
    })
    const isLast = (await credentialsOf(userId, tx)).length === 0
    if (dropped.length === 0) throw notFound()
    if (isLast && isOnlyWay) throw new AppError(409, 'passkeyOnlyWay')
    // whoever has it may be signed in with it
    return endUserSessions(tx, ctx, userId, 'passkeyRemoved', ctx.session?.id)
  })
  await afterCommit()
  return {}
}
