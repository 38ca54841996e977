import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Refreshing } from '@/lib/oidc/records/rotation'

const sorted = (values: Iterable<string>) => [...new Set(values)].sort()

/** A request as a refresh, for `withRotation`. The provider's part of `ctx` is there only once it is under way. */
export function refreshingOf(ctx: object): Refreshing {
  const asked = ctx as Omit<KoaContextWithOIDC, 'oidc'> & { oidc?: KoaContextWithOIDC['oidc'] }
  return {
    refreshes: () => asked.oidc?.route === 'token' && asked.oidc.params?.grant_type === 'refresh_token',
    isWell: () => asked.status < 400,
    request() {
      const { params, entities } = (asked as KoaContextWithOIDC).oidc
      const { scope, resource } = (params ?? {}) as { scope?: string; resource?: string | string[] }
      return JSON.stringify({
        scope: scope === undefined ? null : sorted(scope.split(' ')),
        resource: sorted([resource ?? []].flat()),
        // to which key the tokens are bound
        key: entities.AccessToken?.jkt ?? null,
      })
    },
    answer: () => asked.body,
    replace(answer) {
      asked.body = answer
    },
  }
}
