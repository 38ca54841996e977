import type { Ctx } from '@/lib/base/context/ctx'
import { isKeyedHash, keyedHash } from '@/lib/base/crypto/encryption'
import { interactionAt, interactionLifespan, waitingClient } from '@/lib/sign-in/interactions/service'
import { usableClient } from '../clients/service'

type CookieContext = Pick<Ctx, 'cookies'>
const cookieName = 'waiting'
/** The most interactions whose proofs a browser stores; the sign-in page doesn't name the application of older ones. */
const maxProofs = 5
const proofText = (uid: string) => `waiting ${uid}`
const proofsIn = ({ cookies }: CookieContext) =>
  (cookies.get(cookieName) ?? '').split('.').filter(Boolean).slice(0, maxProofs)

/**
 * Stores in a cookie the proof that this browser began an interaction. Call it only after the OpenID Provider has
 * verified that.
 */
export function noteBegunInteraction(ctx: CookieContext, uid: string) {
  const otherProofs = proofsIn(ctx).filter((proof) => !isKeyedHash('oidc', proofText(uid), proof))
  const proofs = [keyedHash('oidc', proofText(uid)), ...otherProofs].slice(0, maxProofs)
  ctx.cookies.set(cookieName, proofs.join('.'), { maxAge: interactionLifespan })
}

type ApplicationName = { name: string; nameEn: string | null }

/**
 * Returns the application of the interaction at a path, so that a sign-in page can name it. Returns null for any other
 * path, in a browser that didn't begin the interaction, and if the application can't be read, because a page opens
 * without it too.
 */
export async function applicationOfInteraction(
  ctx: CookieContext,
  path: string | null,
): Promise<ApplicationName | null> {
  const uid = interactionAt(path)
  if (!uid || !proofsIn(ctx).some((proof) => isKeyedHash('oidc', proofText(uid), proof))) return null
  try {
    const clientId = await waitingClient(uid)
    const { name, nameEn } = (clientId && (await usableClient(clientId))?.application) || { name: '', nameEn: null }
    return name ? { name, nameEn } : null
  } catch {
    return null
  }
}
