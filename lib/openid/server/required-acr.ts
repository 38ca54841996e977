import Provider, { type KoaContextWithOIDC } from 'oidc-provider'
import { isStillMet } from './acr'
import { requestOf } from './request'

/** A record of oidc-provider. Ours also contain the flows that proved the person, in order. */
type ProvenRecord = {
  acr?: string
  accountId?: string
  proven?: readonly string[]
  save: (...given: never[]) => unknown
}
type Model = { IN_PAYLOAD: string[]; prototype: ProvenRecord }
type Payload = { acr?: unknown; amr?: unknown }
type IdToken = { ctx?: KoaContextWithOIDC; payload: () => Promise<Payload> }

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
    const model = provider[name] as unknown as Model
    const payloadNames = model.IN_PAYLOAD
    Object.defineProperty(model, 'IN_PAYLOAD', { get: () => [...payloadNames, 'proven'] })
    const { save } = model.prototype
    model.prototype.save = async function (this: ProvenRecord, ...args: never[]) {
      const ctx = Provider.ctx as KoaContextWithOIDC | undefined
      if (ctx && this.acr && !this.proven) {
        const proven = await provenFor(name, ctx)
        if (proven) this.proven = proven
      }
      return save.apply(this, args)
    }
  }
  const idToken = (provider.IdToken as unknown as { prototype: IdToken }).prototype
  const { payload } = idToken
  idToken.payload = async function (this: IdToken) {
    const claims = await payload.call(this)
    if (claims.acr === undefined) return claims
    const source = this.ctx && (sourceOf(this.ctx) ?? entityOf(this.ctx, 'RefreshToken'))
    const { acr, ...otherClaims } = claims
    return (await isStillMet(String(acr), { proven: source?.proven, amr: claims.amr })) ? claims : otherClaims
  }
}
