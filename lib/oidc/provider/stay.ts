import type { KoaContextWithOIDC } from 'oidc-provider'
import { usableClient } from '@/lib/oidc/clients/service'

/**
 * Where somebody goes who was asked to sign out and stays: back to the application that asked, at the address it
 * named, which the provider has found registered, else at its own; to the portal if none asked.
 */
export async function stayAddress({ params, client }: KoaContextWithOIDC['oidc']): Promise<string> {
  const { post_logout_redirect_uri: asked, state } = (params ?? {}) as Record<string, string | undefined>
  if (client && asked !== undefined) {
    const address = new URL(asked)
    // the library gives the state back from its own way, too
    if (state !== undefined) address.searchParams.set('state', state)
    return address.href
  }
  const url = client ? (await usableClient(client.clientId))?.application.url : null
  return url && /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? url : '/platform'
}
