import type { KoaContextWithOIDC } from 'oidc-provider'
import { usableClient } from '../clients/service'

/**
 * Returns where a person goes who was asked to sign out and stays: back to the application that asked, at the address
 * that it named and the provider has verified, else at its own address; to the portal without an application.
 */
export async function resumeAddress({ params, client }: KoaContextWithOIDC['oidc']): Promise<string> {
  const { post_logout_redirect_uri: asked, state } = (params ?? {}) as Record<string, string | undefined>
  if (client && asked !== undefined) {
    const address = new URL(asked)
    // oidc-provider returns the state in the same way after a sign-out
    if (state !== undefined) address.searchParams.set('state', state)
    return address.href
  }
  const url = client ? (await usableClient(client.clientId))?.application.url : null
  return url && /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? url : '/platform'
}
