import type { KoaContextWithOIDC } from 'oidc-provider'
import { usableClient } from '../clients/service'

/**
 * Returns the address for a person who was asked to sign out and stays signed in: the one that the application named
 * and the OpenID Provider has verified, else the application's own address; the portal without an application.
 */
export async function resumeAddress({ params, client }: KoaContextWithOIDC['oidc']): Promise<string> {
  const { post_logout_redirect_uri: requestedAddress, state } = (params ?? {}) as Record<string, string | undefined>
  if (client && requestedAddress !== undefined) {
    const address = new URL(requestedAddress)
    // oidc-provider returns the state in the same way after a sign-out
    if (state !== undefined) address.searchParams.set('state', state)
    return address.href
  }
  const url = client ? (await usableClient(client.clientId))?.application.url : null
  return url && /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? url : '/platform'
}
