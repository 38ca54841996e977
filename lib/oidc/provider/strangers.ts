import Provider, { type KoaContextWithOIDC } from 'oidc-provider'
import type { Tier } from '@/lib/kernel/limits'
import { addressKey, sayWhen, takeTries } from './tries'

/** Requests of one address that wait an hour for somebody to sign in: as many as sign-ins begin there. */
const tiers: Tier[] = [{ points: 600, duration: 600 }]

/** Limits how many requests without a known person one address can make the platform keep. */
export function guardStrangers({ Interaction }: Provider) {
  const { prototype } = Interaction
  const { save } = prototype
  prototype.save = async function (this: InstanceType<typeof Interaction>, ...given: Parameters<typeof save>) {
    const ctx = Provider.ctx as KoaContextWithOIDC | undefined
    if (ctx?.oidc?.route === 'authorization' && !this.session)
      await takeTries({ name: 'oidc-strangers', key: addressKey(ctx.req), tiers }).catch((error) => {
        sayWhen(ctx, error)
        throw error
      })
    return save.apply(this, given)
  }
}
