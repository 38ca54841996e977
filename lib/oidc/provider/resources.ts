import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { usableClient } from '@/lib/oidc/clients/service'
import { apiAt, methodsAt } from '@/lib/oidc/resources/service'

type Grant = NonNullable<Awaited<ReturnType<NonNullable<Configuration['loadExistingGrant']>>>>

/** What a client may let an API know of the person it calls for. */
const scopes = ['profile', 'email', 'phone', 'roles', 'contractors']

/**
 * The API at this address, if the client may call it for a person: an application of others calls none but its own,
 * since the person has let it know of them, not act for them elsewhere.
 */
async function apiFor(clientId: string, resource: string) {
  const [api, client] = await Promise.all([apiAt(resource), usableClient(clientId)])
  const ofOthers = client?.application.type === 'external'
  return ofOthers && client.application.id !== api?.id ? null : api
}

/** Applications as resource servers (RFC 8707): a token for one is a JWT that says so (RFC 9068). */
export const resourceIndicators: NonNullable<NonNullable<Configuration['features']>['resourceIndicators']> = {
  enabled: true,
  async getResourceServerInfo({ oidc }, resource, client) {
    const forItself = oidc.params?.grant_type === 'client_credentials'
    const api = await (forItself ? apiAt(resource) : apiFor(client.clientId, resource))
    if (!api) throw new errors.InvalidTarget('there is no such resource')
    return { scope: scopes.join(' '), audience: api.url, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }
  },
}

/** Tokens for an API say which of its methods their holder has. */
export const extraTokenClaims: NonNullable<Configuration['extraTokenClaims']> = async (_ctx, token) => {
  if (typeof token.aud !== 'string') return undefined
  const accountId = token.kind === 'AccessToken' ? token.accountId : undefined
  return { methods: await methodsAt(token.aud, { accountId, clientId: token.clientId }) }
}

/**
 * Lets a grant hold for the resources of the request what it holds for the client itself, and no more. True when it
 * didn't before and must be saved.
 */
export function grantResources(grant: Grant, { resourceServers = {} }: KoaContextWithOIDC['oidc']): boolean {
  const own = grant.getOIDCScope().split(' ')
  const wanted = scopes.filter((scope) => own.includes(scope))
  const lacking = Object.keys(resourceServers).filter((resource) => {
    const held = grant.getResourceScope(resource).split(' ')
    return wanted.some((scope) => !held.includes(scope))
  })
  for (const resource of lacking) grant.addResourceScope(resource, wanted.join(' '))
  return lacking.length > 0
}

/** A refresh that asks for what it can't have is refused before it uses its token up. Always true otherwise. */
export async function rotateRefreshToken({ oidc }: KoaContextWithOIDC): Promise<boolean> {
  const { resource } = oidc.params as { resource?: string | string[] }
  const { RefreshToken: token } = oidc.entities
  for (const one of [resource ?? []].flat())
    if (!token?.resourceIndicators.has(one) || !(await apiFor(token.clientId ?? '', one)))
      throw new errors.InvalidTarget()
  return true
}
