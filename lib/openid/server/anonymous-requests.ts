import type Provider from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { addressLimits } from '@/lib/base/limits/address-limits'
import type { Tier } from '@/lib/base/limits/limits'
import { currentContext, isUnstored, markDestroyed, replaceMember } from './oidc-provider-internals'
import { addressOf, takeRequestPointsOf } from './rate-limits'

/**
 * Limit of the interactions that requests from one address begin, each stored for an hour: as many as sign-ins may
 * begin there.
 */
const interactionTiers: Tier[] = [{ points: 600, duration: 600 }]

/**
 * Limits of the sessions without an account that forms store for an hour: for codes of devices, and for signing out
 * without being signed in.
 */
const formTiers: Tier[] = [
  { points: 300, duration: 600 },
  { points: 2_000, duration: 86_400 },
]
/**
 * Limit of the sessions without an account that authorization requests leave in browsers whose session has ended: as
 * many as interactions.
 */
const returningTiers = interactionTiers

/** Limits of the pushed requests of one address: those of clients without authentication, and those of all clients. */
const pushedTiers: Tier[] = [{ points: 600, duration: 600 }]
const allPushedTiers: Tier[] = [{ points: 6_000, duration: 600 }]

const limitsOf = ({ req }: KoaContextWithOIDC, name: string, tiers: Tier[]) =>
  addressLimits(name, addressOf(req), tiers)

/** Limits how many records an anonymous address can make the platform store. */
export function guardAnonymousRequests(provider: Provider) {
  replaceMember(
    provider,
    'Interaction#save',
    (save) =>
      async function (...args) {
        const ctx = currentContext()
        if (ctx?.oidc?.route === 'authorization' && !this.session)
          await takeRequestPointsOf(ctx, ...limitsOf(ctx, 'oidc-strangers', interactionTiers))
        return save.apply(this, args)
      },
  )

  replaceMember(
    provider,
    'PushedAuthorizationRequest#save',
    (save) =>
      async function (...args) {
        const ctx = currentContext()
        if (ctx?.oidc?.client?.clientAuthMethod === 'none')
          await takeRequestPointsOf(ctx, ...limitsOf(ctx, 'oidc-pushed', pushedTiers))
        return save.apply(this, args)
      },
  )

  replaceMember(
    provider,
    'Session#save',
    (save) =>
      async function (...args) {
        const ctx = currentContext()
        // a session that is stored already is only updated
        if (ctx && !this.accountId && isUnstored(this)) {
          const limits =
            ctx.oidc.route === 'authorization'
              ? limitsOf(ctx, 'oidc-returning', returningTiers)
              : limitsOf(ctx, 'oidc-forms', formTiers)
          await takeRequestPointsOf(ctx, ...limits).catch((error) => {
            // the page for this error must not store the session either
            markDestroyed(this)
            throw error
          })
        }
        return save.apply(this, args)
      },
  )
}

const isPushing = ({ method, path }: { method: string; path: string }) => method === 'POST' && path === '/request'

/** Counts a pushed request before it is read. Throws TooManyRequests. */
export async function countPushed(ctx: Parameters<typeof takeRequestPointsOf>[0] & KoaContextWithOIDC) {
  if (isPushing(ctx)) await takeRequestPointsOf(ctx, ...limitsOf(ctx, 'oidc-pushed-all', allPushedTiers))
}
