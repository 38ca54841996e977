import { z } from 'zod'
import type { Ctx } from '@/lib/base/context/ctx'
import { decrypt, digest, encrypt, randomToken } from '@/lib/base/crypto/encryption'
import { redis } from '@/lib/base/redis/redis'

/** Seconds that a person has to sign in at a provider (docs/rules/providers.md#sign-in). */
const lifetime = 600
const cookie = 'providerBrowser'

/** A sign-in or a link that waits for the answer of a provider. */
export const Pending = z.object({
  providerId: z.string(),
  domainId: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  path: z.string().nullable(),
  /** The person who links an account of the provider, and their session; null for a sign-in. */
  link: z.object({ userId: z.string(), sessionId: z.string() }).nullable(),
})
export type Pending = z.output<typeof Pending>

const keyOf = (state: string) => `provider-sign-in:${digest(state)}`
const bindingOf = (state: string, browser: string) => `provider ${digest(state)} ${digest(browser)}`

/**
 * Stores a pending sign-in, encrypted for this browser. Returns the `state` under which it is found. Throws without
 * Redis.
 */
export async function storePending(ctx: Ctx, pending: Pending): Promise<string> {
  const browser = ctx.cookies.get(cookie) ?? randomToken()
  const state = randomToken()
  const encrypted = encrypt('codes', JSON.stringify(pending), bindingOf(state, browser))
  await redis().set(keyOf(state), encrypted, 'EX', lifetime)
  ctx.cookies.set(cookie, browser, { maxAge: lifetime })
  return state
}

/**
 * Takes the pending sign-in of this `state` out of the store, so that only one of several parallel answers gets it.
 * Returns null if there is none, it has expired, another browser began it, or it was taken before. Throws without
 * Redis.
 */
export async function takePending(ctx: Ctx, state: string): Promise<Pending | null> {
  const encrypted = await redis().getdel(keyOf(state))
  const browser = ctx.cookies.get(cookie)
  if (!encrypted || !browser) return null
  try {
    return Pending.parse(JSON.parse(decrypt('codes', encrypted, bindingOf(state, browser))))
  } catch {
    return null
  }
}
