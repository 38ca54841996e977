import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Refreshing } from '../token-store/rotation'

const sorted = (values: Iterable<string>) => [...new Set(values)].sort()

/**
 * Returns a request in the form of `withRotation`. The part of `ctx` that belongs to oidc-provider only exists once the
 * request is under way.
 */
export function refreshingOf(ctx: object): Refreshing {
  const oidcCtx = ctx as Omit<KoaContextWithOIDC, 'oidc'> & { oidc?: KoaContextWithOIDC['oidc'] }
  return {
    refreshes: () => oidcCtx.oidc?.route === 'token' && oidcCtx.oidc.params?.grant_type === 'refresh_token',
    isWell: () => oidcCtx.status < 400,
    request() {
      const { params, entities } = (oidcCtx as KoaContextWithOIDC).oidc
      const { scope, resource } = (params ?? {}) as { scope?: string; resource?: string | string[] }
      return JSON.stringify({
        scope: scope === undefined ? null : sorted(scope.split(' ')),
        resource: sorted([resource ?? []].flat()),
        // the key that the tokens are bound to
        key: entities.AccessToken?.jkt ?? null,
      })
    },
    answer: () => oidcCtx.body,
    replace(answer) {
      oidcCtx.body = answer
    },
  }
}
