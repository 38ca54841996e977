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
import { askingAddress, identityFrom } from './identity'
import { type About, logRefused } from './log-refused'
import { linkProven } from './own'
import { keepPending, type Pending, takePending } from './pending'
import { ProviderRefused, type Refusal } from './refusal'

/** How many sign-ins one address may begin, and how many answers it may bring: a company behind one gateway is enough. */
const tiers = [{ points: 300, duration: 600 }]

/** The limits on sign-ins of an address through providers: on their beginnings, and on answers. */
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

/** The profile, which says how linking an account ended. */
const profilePage = (provider: Refusal | 'linked') => `/platform/profile/personal?${new URLSearchParams({ provider })}`

/** Logs why a sign-in through a provider ended, and returns the address that says so. */
async function turnedAway(ctx: Ctx, error: unknown, about: About): Promise<string> {
  const refusal = await logRefused(ctx, error, about)
  return about.linking && ctx.user
    ? profilePage(refusal)
    : signInPage({ refused: refusal, ...(about.path ? { path: about.path } : {}) })
}

const Begin = z.object({
  /** Where the person was going: an address of the platform. */
  path: z.string().max(2048).optional().catch(undefined),
  login_hint: z.string().max(256).optional().catch(undefined),
  /** Whether an application asks for another proof. */
  anew: z.string().optional().catch(undefined),
})

/**
 * Begins a sign-in through a provider, and returns the address where it goes on: at the provider, or on the sign-in page,
 * which says why not. A page elsewhere can't begin one (docs/rules/providers.md#sign-in).
 */
export async function beginAtProvider(ctx: Ctx, providerId: string, search: URLSearchParams, site: string | null) {
  const { path: given, login_hint: hint, anew } = Begin.parse(Object.fromEntries(search))
  const path = ownPath(given)
  if (site !== null && site !== 'same-origin' && site !== 'none') return signInPage(path ? { path } : {})
  try {
    await takePoints(...addressLimits('provider-begin', ctx.ip, tiers))
    const provider = Id.safeParse(providerId).success ? await providerToSignIn(providerId, ctx.domain.id) : null
    if (!provider) throw new ProviderRefused('off')
    return await askingAddress(ctx, provider, async () => {
      const [nonce, verifier] = [randomToken(), randomPKCECodeVerifier()]
      const pending = { providerId: provider.id, domainId: ctx.domain.id, nonce, verifier, path, link: null }
      return { state: await keepPending(ctx, pending), nonce, verifier, hint, anew: anew !== undefined }
    })
  } catch (error) {
    return turnedAway(ctx, error, { providerId, path, userId: null, linking: false })
  }
}

/** Takes what waits for an answer. Throws ProviderRefused if nothing does, here, for this provider and in this browser. */
async function waitingFor(ctx: Ctx, providerId: string, state: string): Promise<Pending> {
  const pending = state ? await takePending(ctx, state) : null
  if (!pending || pending.providerId !== providerId || pending.domainId !== ctx.domain.id)
    throw new ProviderRefused('answer', 'nothingWaits')
  return pending
}

/**
 * Takes the answer of a provider, and returns where the person goes on: where they were going, to a step that the sign-in
 * page asks for, or to that page with what went wrong. Each answer counts once, in the browser that asked for it
 * (docs/rules/providers.md#sign-in).
 */
export async function answerOfProvider(ctx: Ctx, providerId: string, search: URLSearchParams): Promise<string> {
  const about: About = { providerId, path: null, userId: null, linking: false }
  try {
    await takePoints(...addressLimits('provider-answer', ctx.ip, tiers))
    const state = search.get('state') ?? ''
    const pending = await waitingFor(ctx, providerId, state)
    about.path = pending.path
    about.linking = pending.link !== null
    const provider = await providerToSignIn(providerId, ctx.domain.id)
    if (!provider) throw new ProviderRefused('off')
    const identity = await identityFrom(ctx, provider, { search, state, pending })
    if (pending.link) {
      await linkProven(ctx, provider, identity, pending.link)
      return profilePage('linked')
    }
    const { userId, left } = await accountFor(ctx, provider, identity)
    about.userId = userId
    const { subject, sid } = identity
    const done = await signInByProvider(ctx, userId, {
      provider: { id: provider.id, subject, sid, ...(left ? { left } : {}) },
      path: pending.path,
    })
    if (done.next === 'done') return done.redirect
    if (done.next === 'set_password') return `/platform/login/password/${done.setPassword}`
    return nextStep(ctx, pending.path)
  } catch (error) {
    if (error instanceof AppError && error.data.termsRequired) return nextStep(ctx, about.path)
    return turnedAway(ctx, error, about)
  }
}

/** The sign-in page, which shows the step that the attempt has reached; also to somebody who is signed in already. */
const nextStep = (ctx: Ctx, path: string | null) =>
  signInPage({ ...(path ? { path } : {}), ...(ctx.user ? { anew: '1' } : {}) })
