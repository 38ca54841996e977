import Provider, { type KoaContextWithOIDC } from 'oidc-provider'
import { addressLimits } from '@/lib/kernel/address-limits'
import type { Tier } from '@/lib/kernel/limits'
import { addressOf, takeTriesOf } from './tries'

/** Requests of one address that wait an hour for somebody to sign in: as many as sign-ins begin there. */
const waiting: Tier[] = [{ points: 600, duration: 600 }]

/** Records of nobody's sessions, which a form leaves for an hour: codes of devices and signing out where nobody is. */
const forms: Tier[] = [
  { points: 300, duration: 600 },
  { points: 2_000, duration: 86_400 },
]
/** An authorization request of a browser whose session is over leaves one too: as many as wait. */
const returning = waiting

/** Requests pushed from one address: by whoever names a client that proves nothing, and by all together. */
const pushed: Tier[] = [{ points: 600, duration: 600 }]
const allPushed: Tier[] = [{ points: 6_000, duration: 600 }]

const current = () => Provider.ctx as KoaContextWithOIDC | undefined
const limitsOf = ({ req }: KoaContextWithOIDC, name: string, tiers: Tier[]) =>
  addressLimits(name, addressOf(req), tiers)

/** Limits how much one address, which nobody knows, can make the platform keep. */
export function guardStrangers({ Interaction, PushedAuthorizationRequest, Session }: Provider) {
  const [waits, pushes, sessions] = [Interaction.prototype, PushedAuthorizationRequest.prototype, Session.prototype]
  const [saveWaiting, savePushed, saveSession] = [waits.save, pushes.save, sessions.save]

  waits.save = async function (this: InstanceType<typeof Interaction>, ...given: Parameters<typeof saveWaiting>) {
    const ctx = current()
    if (ctx?.oidc?.route === 'authorization' && !this.session)
      await takeTriesOf(ctx, ...limitsOf(ctx, 'oidc-strangers', waiting))
    return saveWaiting.apply(this, given)
  }

  pushes.save = async function (
    this: InstanceType<typeof PushedAuthorizationRequest>,
    ...given: Parameters<typeof savePushed>
  ) {
    const ctx = current()
    if (ctx?.oidc?.client?.clientAuthMethod === 'none') await takeTriesOf(ctx, ...limitsOf(ctx, 'oidc-pushed', pushed))
    return savePushed.apply(this, given)
  }

  sessions.save = async function (this: InstanceType<typeof Session>, ...given: Parameters<typeof saveSession>) {
    const ctx = current()
    // one that is stored already is only written anew
    if (ctx && !this.accountId && this.exp === undefined) {
      const limits =
        ctx.oidc.route === 'authorization'
          ? limitsOf(ctx, 'oidc-returning', returning)
          : limitsOf(ctx, 'oidc-forms', forms)
      await takeTriesOf(ctx, ...limits).catch((error) => {
        // the page that tells of it must not store what could not be
        Object.assign(this, { destroyed: true })
        throw error
      })
    }
    return saveSession.apply(this, given)
  }
}

const isPushing = ({ method, path }: { method: string; path: string }) => method === 'POST' && path === '/request'

/** Counts a pushed request before anything of it is read. Throws TooManyTries. */
export async function countPushed(ctx: Parameters<typeof takeTriesOf>[0] & KoaContextWithOIDC) {
  if (isPushing(ctx)) await takeTriesOf(ctx, ...limitsOf(ctx, 'oidc-pushed-all', allPushed))
}
