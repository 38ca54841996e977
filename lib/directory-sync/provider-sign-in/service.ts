import { randomPKCECodeVerifier } from 'openid-client'
import { z } from 'zod'
import type { Ctx } from '@/lib/base/context/ctx'
import { Id } from '@/lib/base/contracts/contract'
import { randomToken } from '@/lib/base/crypto/encryption'
import { addressLimits } from '@/lib/base/limits/address-limits'
import { takePoints, waitsOf } from '@/lib/base/limits/limits'
import { ownPath } from '@/lib/base/navigation/after-sign-in'
import { AppError } from '@/lib/base/runtime/errors'
import { providerToSignIn } from '@/lib/identity-providers/connections/sign-in'
import { signInByProvider } from '@/lib/sign-in/attempts/by-provider'
import { accountFor } from './account'
import { authorizationAddress, identityFrom } from './identity'
import { logRefusal, type SignInDetails } from './log-refused'
import { linkProven } from './own'
import { type Pending, storePending, takePending } from './pending'
import { ProviderRefused, type Refusal } from './refusal'

/**
 * How many sign-ins one address may begin, and how many answers it may bring: enough for a company behind one gateway.
 */
const tiers = [{ points: 300, duration: 600 }]

/** Returns the limits of an address on sign-ins through providers: on begun sign-ins, and on answers. */
export const providerLimits = (ip: string) => [
  ...addressLimits('provider-begin', ip, tiers),
  ...addressLimits('provider-answer', ip, tiers),
]

/** Returns when this address may sign in through providers again; null if it may now. */
export async function providersOpenAt({ ip, now }: Pick<Ctx, 'ip' | 'now'>): Promise<Date | null> {
  const wait = Math.max(...(await waitsOf(providerLimits(ip))))
  return wait > 0 ? new Date(now().getTime() + wait) : null
}

const signInPage = (search: Record<string, string>) => `/platform/login?${new URLSearchParams(search)}`

/** Returns the address of the profile, which shows how linking an account ended. */
const profilePage = (provider: Refusal | 'linked') => `/platform/profile/personal?${new URLSearchParams({ provider })}`

/** Logs why a sign-in through a provider was refused. Returns the address of the page that shows the reason. */
async function refusalAddress(ctx: Ctx, error: unknown, details: SignInDetails): Promise<string> {
  const refusal = await logRefusal(ctx, error, details)
  return details.linking && ctx.user
    ? profilePage(refusal)
    : signInPage({ refused: refusal, ...(details.path ? { path: details.path } : {}) })
}

const Begin = z.object({
  /** The page of the platform that the person wanted to open. */
  path: z.string().max(2048).optional().catch(undefined),
  login_hint: z.string().max(256).optional().catch(undefined),
  /** Whether an application asks for another proof. */
  anew: z.string().optional().catch(undefined),
})

/**
 * Begins a sign-in through a provider. Returns the address of the provider, or of the sign-in page with the reason of a
 * refusal. A page of another site can't begin a sign-in (docs/rules/providers.md#sign-in).
 */
export async function beginAtProvider(ctx: Ctx, providerId: string, search: URLSearchParams, site: string | null) {
  const { path: requestedPath, login_hint: hint, anew } = Begin.parse(Object.fromEntries(search))
  const path = ownPath(requestedPath)
  if (site !== null && site !== 'same-origin' && site !== 'none') return signInPage(path ? { path } : {})
  try {
    await takePoints(...addressLimits('provider-begin', ctx.ip, tiers))
    const provider = Id.safeParse(providerId).success ? await providerToSignIn(providerId, ctx.domain.id) : null
    if (!provider) throw new ProviderRefused('off')
    return await authorizationAddress(ctx, provider, async () => {
      const [nonce, verifier] = [randomToken(), randomPKCECodeVerifier()]
      const pending = { providerId: provider.id, domainId: ctx.domain.id, nonce, verifier, path, link: null }
      return { state: await storePending(ctx, pending), nonce, verifier, hint, anew: anew !== undefined }
    })
  } catch (error) {
    return refusalAddress(ctx, error, { providerId, path, userId: null, linking: false })
  }
}

/** Takes the pending sign-in of an answer. Throws ProviderRefused if this domain, provider and browser have none. */
async function takeMatchingPending(ctx: Ctx, providerId: string, state: string): Promise<Pending> {
  const pending = state ? await takePending(ctx, state) : null
  if (!pending || pending.providerId !== providerId || pending.domainId !== ctx.domain.id)
    throw new ProviderRefused('answer', 'nothingWaits')
  return pending
}

/**
 * Handles the answer of a provider. Returns the address of the page that the person wanted, of a further step of the
 * sign-in, or of the sign-in page with the reason of a refusal. Each answer counts once, in the browser that began the
 * sign-in (docs/rules/providers.md#sign-in).
 */
export async function handleProviderAnswer(ctx: Ctx, providerId: string, search: URLSearchParams): Promise<string> {
  const details: SignInDetails = { providerId, path: null, userId: null, linking: false }
  try {
    await takePoints(...addressLimits('provider-answer', ctx.ip, tiers))
    const state = search.get('state') ?? ''
    const pending = await takeMatchingPending(ctx, providerId, state)
    details.path = pending.path
    details.linking = pending.link !== null
    const provider = await providerToSignIn(providerId, ctx.domain.id)
    if (!provider) throw new ProviderRefused('off')
    const identity = await identityFrom(ctx, provider, { search, state, pending })
    if (pending.link) {
      await linkProven(ctx, provider, identity, pending.link)
      return profilePage('linked')
    }
    const { userId, omitted } = await accountFor(ctx, provider, identity)
    details.userId = userId
    const { subject, sid } = identity
    const result = await signInByProvider(ctx, userId, {
      provider: { id: provider.id, subject, sid, ...(omitted ? { left: omitted } : {}) },
      path: pending.path,
    })
    if (result.next === 'done') return result.redirect
    if (result.next === 'set_password') return `/platform/login/password/${result.setPassword}`
    return nextStep(ctx, pending.path)
  } catch (error) {
    if (error instanceof AppError && error.data.termsRequired) return nextStep(ctx, details.path)
    return refusalAddress(ctx, error, details)
  }
}

/**
 * Returns the address of the sign-in page, which shows the step that the attempt has reached, also to a signed-in
 * person.
 */
const nextStep = (ctx: Ctx, path: string | null) =>
  signInPage({ ...(path ? { path } : {}), ...(ctx.user ? { anew: '1' } : {}) })
