import Provider, { type KoaContextWithOIDC } from 'oidc-provider'
import { isStillMet } from './acr'
import { requestOf } from './request'

/** What the provider's own records hold besides: the flows that proved the session, in their order. */
type Proving = { acr?: string; accountId?: string; proven?: readonly string[]; save: (...given: never[]) => unknown }
type Model = { IN_PAYLOAD: string[]; prototype: Proving }
type Payload = { acr?: unknown; amr?: unknown }
type IdToken = { ctx?: KoaContextWithOIDC; payload: () => Promise<Payload> }

const entity = ({ oidc }: KoaContextWithOIDC, name: string) =>
  (oidc.entities as Record<string, Proving | undefined>)[name]

/** What a token is made from, where it is made without a browser. */
const sourceOf = (ctx: KoaContextWithOIDC) =>
  entity(ctx, 'AuthorizationCode') ?? entity(ctx, 'DeviceCode') ?? entity(ctx, 'RotatedRefreshToken')

/** Of a code the session's of the browser that asks for it, of a refresh token what came before it. */
async function provenFor(model: string, ctx: KoaContextWithOIDC) {
  if (model === 'RefreshToken') return sourceOf(ctx)?.proven
  return (await requestOf(ctx.req).ctx()).session?.proven
}

/**
 * Lets an ID token name a schema only while the session that it speaks of satisfies it, also after the schema has
 * changed (ADR 19). For that codes and refresh tokens keep what was proven.
 */
export function guardAcr(provider: Provider): void {
  for (const name of ['AuthorizationCode', 'DeviceCode', 'RefreshToken'] as const) {
    const model = provider[name] as unknown as Model
    const known = model.IN_PAYLOAD
    Object.defineProperty(model, 'IN_PAYLOAD', { get: () => [...known, 'proven'] })
    const { save } = model.prototype
    model.prototype.save = async function (this: Proving, ...given: never[]) {
      const ctx = Provider.ctx as KoaContextWithOIDC | undefined
      if (ctx && this.acr && !this.proven) {
        const proven = await provenFor(name, ctx)
        if (proven) this.proven = proven
      }
      return save.apply(this, given)
    }
  }
  const idToken = (provider.IdToken as unknown as { prototype: IdToken }).prototype
  const { payload } = idToken
  idToken.payload = async function (this: IdToken) {
    const said = await payload.call(this)
    if (said.acr === undefined) return said
    const source = this.ctx && (sourceOf(this.ctx) ?? entity(this.ctx, 'RefreshToken'))
    const { acr, ...others } = said
    return (await isStillMet(String(acr), { proven: source?.proven, amr: said.amr })) ? said : others
  }
}
