import type Provider from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { isStillMet } from './acr'
import { currentContext, type ProvenRecord, replaceMember, storeProperty } from './oidc-provider-internals'
import { requestOf } from './request'

const entityOf = ({ oidc }: KoaContextWithOIDC, name: string) =>
  (oidc.entities as Record<string, ProvenRecord | undefined>)[name]

/** Returns the record that a token is made from, where it is made without a browser. */
const sourceOf = (ctx: KoaContextWithOIDC) =>
  entityOf(ctx, 'AuthorizationCode') ?? entityOf(ctx, 'DeviceCode') ?? entityOf(ctx, 'RotatedRefreshToken')

/**
 * Returns the flows for a new record: for a code those of the browser's session, for a refresh token those of its
 * predecessor.
 */
async function provenFor(model: string, ctx: KoaContextWithOIDC) {
  if (model === 'RefreshToken') return sourceOf(ctx)?.proven
  return (await requestOf(ctx.req).ctx()).session?.proven
}

/**
 * Lets an ID token name a schema only while its session satisfies the schema, also after the schema has changed (ADR
 * 19). For that, codes and refresh tokens store the completed flows.
 */
export function guardAcr(provider: Provider): void {
  for (const name of ['AuthorizationCode', 'DeviceCode', 'RefreshToken'] as const) {
    storeProperty(provider, name, 'proven')
    replaceMember(
      provider,
      `${name}#save`,
      (save) =>
        async function (...args) {
          const ctx = currentContext()
          if (ctx && this.acr && !this.proven) {
            const proven = await provenFor(name, ctx)
            if (proven) this.proven = proven
          }
          return save.apply(this, args)
        },
    )
  }
  replaceMember(
    provider,
    'IdToken#payload',
    (payload) =>
      async function () {
        const claims = await payload.call(this)
        if (claims.acr === undefined) return claims
        const source = this.ctx && (sourceOf(this.ctx) ?? entityOf(this.ctx, 'RefreshToken'))
        const { acr, ...otherClaims } = claims
        return (await isStillMet(String(acr), { proven: source?.proven, amr: claims.amr })) ? claims : otherClaims
      },
  )
}
