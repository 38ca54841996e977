import type { AuthenticatorTransport } from '@simplewebauthn/server'
import { db } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { relyingPartyId } from '@/lib/base/http/relying-party'
import { addressLimits } from '@/lib/base/limits/address-limits'
import { returnPoints, type Tier, takePoints } from '@/lib/base/limits/limits'
import { fieldError } from '@/lib/base/runtime/errors'
import { log } from '@/lib/base/runtime/log'
import type { SignInCause } from '../../log/causes'
import { SignInRefused } from '../../log/record'
import type { FactorAttempt, Proof, ToStore } from '../factor'
import { openPasswordFlow } from '../password/throttle'
import { isChallengeOf, takeChallenge } from './challenge'
import type { PasskeySignature } from './credential'
import { type PasskeyRow, selectByCredential, storeUse } from './queries'

/** Wrong passkeys of an address. Nobody can guess a signature: this limits the work. */
const wrongTiers: Tier[] = [{ points: 100, duration: 600 }]

/** Returns the limits on wrong passkeys of an address. */
export const passkeyLimits = (ip: string) => addressLimits('passkey-wrong', ip, wrongTiers)

/** Returns the handle by which authenticators know an account: the bytes of its id, which say nothing of the person. */
export const userHandle = (userId: string) => Buffer.from(userId.replaceAll('-', ''), 'hex')

const refusal = (
  cause: SignInCause,
  { code = 'errorPasskey', ownerId = null }: { code?: string; ownerId?: string | null } = {},
) => new SignInRefused(cause, code, { errorList: [{ field: 'passkey', code }] }, ownerId)

/**
 * Returns what a signature says if it is right: made by this passkey on a page of this domain, not inside a page of
 * another site, by an authenticator that verified the person, over a challenge of this browser. Returns null if not
 * (WebAuthn, section 7.2).
 */
async function signed(ctx: Ctx, signature: PasskeySignature, passkey: PasskeyRow) {
  const [{ verifyAuthenticationResponse }, { decodeClientDataJSON }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  let challenge = ''
  try {
    const { clientDataJSON, authenticatorData, signature: bytes, userHandle: handle } = signature.response
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: signature.id,
        rawId: signature.rawId,
        type: signature.type,
        response: { clientDataJSON, authenticatorData, signature: bytes },
        clientExtensionResults: {},
      },
      expectedChallenge: (sent) => {
        challenge = Buffer.from(sent, 'base64url').toString()
        return isChallengeOf(ctx, challenge)
      },
      expectedOrigin: ctx.domain.origin,
      expectedRPID: relyingPartyId() ?? '',
      // the library compares the count before it checks the signature; `storeUse` compares it afterwards
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: 0,
        transports: passkey.transports as AuthenticatorTransport[],
      },
      requireUserVerification: true,
    })
    const isOwner = !handle || handle === userHandle(passkey.userId).toString('base64url')
    const isInside = decodeClientDataJSON(clientDataJSON).crossOrigin === true
    return verified && isOwner && !isInside ? { challenge, ...authenticationInfo } : null
  } catch (error) {
    log.debug({ err: error, requestId: ctx.requestId }, 'a passkey was refused')
    return null
  }
}

/**
 * Checks the signature by a passkey, stores its use, and returns the passkey. A wrong one counts against the limits of
 * the address, before it is checked; so does one of somebody else, by `isOwner`. Throws 400 errorPasskeyUnknown for a passkey that nobody has, so that the browser need
 * not offer it again; 400 errorPasskey for a wrong signature, one that was sent before, and for a passkey of which there
 * may be a copy; 429 by address.
 */
export async function provePasskey(
  ctx: Ctx,
  signature: PasskeySignature,
  isOwner: (userId: string) => boolean = () => true,
): Promise<PasskeyRow> {
  const limits = passkeyLimits(ctx.ip)
  await takePoints(...limits)
  const passkey = await selectByCredential(signature.id)
  if (!passkey) throw refusal('unknownPasskey', { code: 'errorPasskeyUnknown' })
  const proof = await signed(ctx, signature, passkey)
  if (!proof || !(await takeChallenge(proof.challenge)) || !isOwner(passkey.userId)) throw refusal('wrongPasskey')
  const { newCounter: signCount, credentialBackedUp: isBackedUp } = proof
  if (!(await storeUse(passkey.id, { signCount, isBackedUp, usedAt: ctx.now() })))
    throw refusal('copiedPasskey', { ownerId: passkey.userId })
  await returnPoints(...limits)
  return passkey
}

/**
 * Proves the flow `passkey` of an attempt: by a passkey of its account. It also opens a password flow that wrong
 * passwords have closed. Throws 400 with the fault of the field `passkey`, 429 by address.
 */
export async function provePasskeyOf(ctx: Ctx, attempt: FactorAttempt, { passkey }: Proof): Promise<ToStore> {
  if (!passkey) throw fieldError('passkey', 'errorEmpty')
  const { account, failures, state } = attempt
  // before another proof, the provider that keeps an account decides who its people are
  const mayProve = account?.enabled && !(account.atProvider && state.proven.length === 0)
  const { id, userId } = await provePasskey(ctx, passkey, (ownerId) => Boolean(mayProve) && ownerId === account?.id)
  if (Object.keys(failures).length > 0) await openPasswordFlow(db(), userId)
  return { passkeyId: id }
}
