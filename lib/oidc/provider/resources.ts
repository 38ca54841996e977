import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { apiAt, methodsAt } from '@/lib/oidc/resources/service'

type Grant = NonNullable<Awaited<ReturnType<NonNullable<Configuration['loadExistingGrant']>>>>

/** What a client may let an API know of the person it calls for. */
const scope = 'profile email phone roles contractors'

/** Applications as resource servers (RFC 8707): a token for one is a JWT that says so (RFC 9068). */
export const resourceIndicators: NonNullable<NonNullable<Configuration['features']>['resourceIndicators']> = {
  enabled: true,
  async getResourceServerInfo(_ctx, resource) {
    const api = await apiAt(resource)
    if (!api) throw new errors.InvalidTarget('there is no such resource')
    return { scope, audience: api.url, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }
  },
}

/** Tokens for an API say which of its methods their holder has. */
export const extraTokenClaims: NonNullable<Configuration['extraTokenClaims']> = async (_ctx, token) => {
  if (typeof token.aud !== 'string') return undefined
  const accountId = token.kind === 'AccessToken' ? token.accountId : undefined
  return { methods: await methodsAt(token.aud, { accountId, clientId: token.clientId }) }
}

/** Lets the grant hold what the request asks of resources; true when it didn't before. */
export function grantResources(grant: Grant, { resourceServers = {} }: KoaContextWithOIDC['oidc']): boolean {
  const missing = Object.keys(resourceServers).filter((resource) => !grant.getResourceScope(resource))
  for (const resource of missing) grant.addResourceScope(resource, scope)
  return missing.length > 0
}

/** A refresh that asks for what it can't have is refused before it uses its token up. Always true otherwise. */
export async function rotateRefreshToken({ oidc }: KoaContextWithOIDC): Promise<boolean> {
  const { resource } = oidc.params as { resource?: string | string[] }
  const { RefreshToken: token } = oidc.entities
  for (const one of [resource ?? []].flat())
    if (!token?.resourceIndicators.has(one) || !(await apiAt(one))) throw new errors.InvalidTarget()
  return true
}
