import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { usableClient } from '../clients/service'
import { apiAt, methodsAt } from '../resources/service'

type Grant = NonNullable<Awaited<ReturnType<NonNullable<Configuration['loadExistingGrant']>>>>

/** The scopes that an API may receive about the person for whom a client calls. */
const scopes = ['profile', 'email', 'phone', 'roles', 'contractors']

/**
 * Returns the API at this address if the client may call it for a person. An external application may only call its
 * own, because the person has consented to share data with it, not to let it act elsewhere.
 */
async function apiFor(clientId: string, resource: string) {
  const [api, client] = await Promise.all([apiAt(resource), usableClient(clientId)])
  const isExternal = client?.application.type === 'external'
  return isExternal && client.application.id !== api?.id ? null : api
}

/** Applications as resource servers (RFC 8707): a token for one is a JWT for that audience (RFC 9068). */
export const resourceIndicators: NonNullable<NonNullable<Configuration['features']>['resourceIndicators']> = {
  enabled: true,
  async getResourceServerInfo({ oidc }, resource, client) {
    const forItself = oidc.params?.grant_type === 'client_credentials'
    const api = await (forItself ? apiAt(resource) : apiFor(client.clientId, resource))
    if (!api) throw new errors.InvalidTarget('there is no such resource')
    return { scope: scopes.join(' '), audience: api.url, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }
  },
}

/** Adds to tokens for an API the codes of its methods that their holder has. */
export const extraTokenClaims: NonNullable<Configuration['extraTokenClaims']> = async (_ctx, token) => {
  if (typeof token.aud !== 'string') return undefined
  const accountId = token.kind === 'AccessToken' ? token.accountId : undefined
  return { methods: await methodsAt(token.aud, { accountId, clientId: token.clientId }) }
}

/**
 * Extends a grant to the resources of the request, with the scopes that it has for the client itself. Returns true when
 * it has changed and must be saved.
 */
export function grantResources(grant: Grant, { resourceServers = {} }: KoaContextWithOIDC['oidc']): boolean {
  const grantScopes = grant.getOIDCScope().split(' ')
  const apiScopes = scopes.filter((scope) => grantScopes.includes(scope))
  const incomplete = Object.keys(resourceServers).filter((resource) => {
    const resourceScopes = grant.getResourceScope(resource).split(' ')
    return apiScopes.some((scope) => !resourceScopes.includes(scope))
  })
  for (const resource of incomplete) grant.addResourceScope(resource, apiScopes.join(' '))
  return incomplete.length > 0
}

/** Refuses a refresh for resources that the token can not have, before the token is used. Otherwise returns true. */
export async function rotateRefreshToken({ oidc }: KoaContextWithOIDC): Promise<boolean> {
  const { resource } = oidc.params as { resource?: string | string[] }
  const { RefreshToken: token } = oidc.entities
  for (const address of [resource ?? []].flat())
    if (!token?.resourceIndicators.has(address) || !(await apiFor(token.clientId ?? '', address)))
      throw new errors.InvalidTarget()
  return true
}
