import { z } from 'zod'
import type { Ctx } from '@/lib/base/context/ctx'
import { decrypt, digest, encrypt, randomToken } from '@/lib/base/crypto/encryption'
import { redis } from '@/lib/base/redis/redis'

/** Seconds that somebody has for signing in at a provider (docs/rules/providers.md#sign-in). */
const lifetime = 600
const cookie = 'providerBrowser'

/** What waits for the answer of a provider. */
export const Pending = z.object({
  providerId: z.string(),
  domainId: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  path: z.string().nullable(),
  /** Who links an account of the provider, in which session; nobody when somebody signs in. */
  link: z.object({ userId: z.string(), sessionId: z.string() }).nullable(),
})
export type Pending = z.output<typeof Pending>

const keyOf = (state: string) => `provider-sign-in:${digest(state)}`
const boundTo = (state: string, browser: string) => `provider ${digest(state)} ${digest(browser)}`

/** Keeps what waits, sealed for this browser alone. Returns the state that finds it. Throws without Redis. */
export async function keepPending(ctx: Ctx, pending: Pending): Promise<string> {
  const browser = ctx.cookies.get(cookie) ?? randomToken()
  const state = randomToken()
  const sealed = encrypt('codes', JSON.stringify(pending), boundTo(state, browser))
  await redis().set(keyOf(state), sealed, 'EX', lifetime)
  ctx.cookies.set(cookie, browser, { maxAge: lifetime })
  return state
}

/**
 * Takes what waits for this state, once: of parallel answers one gets it. Null if there is none, it is over, another
 * browser began it, or somebody has taken it. Throws without Redis.
 */
export async function takePending(ctx: Ctx, state: string): Promise<Pending | null> {
  const sealed = await redis().getdel(keyOf(state))
  const browser = ctx.cookies.get(cookie)
  if (!sealed || !browser) return null
  try {
    return Pending.parse(JSON.parse(decrypt('codes', sealed, boundTo(state, browser))))
  } catch {
    return null
  }
}
