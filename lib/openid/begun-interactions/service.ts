import type { Ctx } from '@/lib/base/context/ctx'
import { isKeyedHash, keyedHash } from '@/lib/base/crypto/encryption'
import { interactionAt, interactionLifespan, waitingClient } from '@/lib/sign-in/interactions/service'
import { usableClient } from '../clients/service'

type Jar = Pick<Ctx, 'cookies'>
const cookie = 'waiting'
/** The interactions that a browser can have open in its tabs; older ones are only not named any more. */
const most = 5
const sealed = (uid: string) => `waiting ${uid}`
const proofsIn = ({ cookies }: Jar) => (cookies.get(cookie) ?? '').split('.').filter(Boolean).slice(0, most)

/** Notes in a cookie that this browser began an interaction. Call it only when the provider has verified that. */
export function keepWaiting(ctx: Jar, uid: string) {
  const others = proofsIn(ctx).filter((proof) => !isKeyedHash('oidc', sealed(uid), proof))
  const proofs = [keyedHash('oidc', sealed(uid)), ...others].slice(0, most)
  ctx.cookies.set(cookie, proofs.join('.'), { maxAge: interactionLifespan })
}

type Waiting = { name: string; nameEn: string | null }

/**
 * Returns the application that waits at a path, for a sign-in page to name it; null for any other path, in a browser
 * that didn't begin the interaction, and when it can't be read: a page opens without it too.
 */
export async function waitingApplication(ctx: Jar, path: string | null): Promise<Waiting | null> {
  const uid = interactionAt(path)
  if (!uid || !proofsIn(ctx).some((proof) => isKeyedHash('oidc', sealed(uid), proof))) return null
  try {
    const clientId = await waitingClient(uid)
    const { name, nameEn } = (clientId && (await usableClient(clientId))?.application) || { name: '', nameEn: null }
    return name ? { name, nameEn } : null
  } catch {
    return null
  }
}
