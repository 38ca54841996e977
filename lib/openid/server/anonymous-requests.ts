import Provider, { type KoaContextWithOIDC } from 'oidc-provider'
import { addressLimits } from '@/lib/base/limits/address-limits'
import type { Tier } from '@/lib/base/limits/limits'
import { addressOf, takeRequestPointsOf } from './rate-limits'

/** Requests of one address that wait for a sign-in, for an hour each: as many as sign-ins may begin there. */
const waiting: Tier[] = [{ points: 600, duration: 600 }]

/**
 * Sessions without an account, which a form keeps for an hour: for codes of devices, and for signing out without being
 * signed in.
 */
const forms: Tier[] = [
  { points: 300, duration: 600 },
  { points: 2_000, duration: 86_400 },
]
/**
 * Sessions without an account that authorization requests leave in browsers whose session has ended: as many as waiting
 * requests.
 */
const returning = waiting

/** Pushed requests of one address: those of clients without authentication, and all together. */
const pushed: Tier[] = [{ points: 600, duration: 600 }]
const allPushed: Tier[] = [{ points: 6_000, duration: 600 }]

const current = () => Provider.ctx as KoaContextWithOIDC | undefined
const limitsOf = ({ req }: KoaContextWithOIDC, name: string, tiers: Tier[]) =>
  addressLimits(name, addressOf(req), tiers)

/** Limits how many records an anonymous address can make the platform store. */
export function guardAnonymousRequests({ Interaction, PushedAuthorizationRequest, Session }: Provider) {
  const [waits, pushes, sessions] = [Interaction.prototype, PushedAuthorizationRequest.prototype, Session.prototype]
  const [saveWaiting, savePushed, saveSession] = [waits.save, pushes.save, sessions.save]

  waits.save = async function (this: InstanceType<typeof Interaction>, ...given: Parameters<typeof saveWaiting>) {
    const ctx = current()
    if (ctx?.oidc?.route === 'authorization' && !this.session)
      await takeRequestPointsOf(ctx, ...limitsOf(ctx, 'oidc-strangers', waiting))
    return saveWaiting.apply(this, given)
  }

  pushes.save = async function (
    this: InstanceType<typeof PushedAuthorizationRequest>,
    ...given: Parameters<typeof savePushed>
  ) {
    const ctx = current()
    if (ctx?.oidc?.client?.clientAuthMethod === 'none')
      await takeRequestPointsOf(ctx, ...limitsOf(ctx, 'oidc-pushed', pushed))
    return savePushed.apply(this, given)
  }

  sessions.save = async function (this: InstanceType<typeof Session>, ...given: Parameters<typeof saveSession>) {
    const ctx = current()
    // a session that is stored already is only updated
    if (ctx && !this.accountId && this.exp === undefined) {
      const limits =
        ctx.oidc.route === 'authorization'
          ? limitsOf(ctx, 'oidc-returning', returning)
          : limitsOf(ctx, 'oidc-forms', forms)
      await takeRequestPointsOf(ctx, ...limits).catch((error) => {
        // the page for this error must not store the session either
        Object.assign(this, { destroyed: true })
        throw error
      })
    }
    return saveSession.apply(this, given)
  }
}

const isPushing = ({ method, path }: { method: string; path: string }) => method === 'POST' && path === '/request'

/** Counts a pushed request before it is read. Throws TooManyTries. */
export async function countPushed(ctx: Parameters<typeof takeRequestPointsOf>[0] & KoaContextWithOIDC) {
  if (isPushing(ctx)) await takeRequestPointsOf(ctx, ...limitsOf(ctx, 'oidc-pushed-all', allPushed))
}
