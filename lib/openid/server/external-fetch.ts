import type { Configuration } from 'oidc-provider'
import { callExternal } from '@/lib/network/outgoing-calls/service'

/** The `fetch` of the OpenID Provider, for logout notices and published keys of applications. */
export const externalFetch: NonNullable<Configuration['fetch']> = (url, { method, headers, body, signal } = {}) =>
  callExternal(String(url), { method, headers, body: body as URLSearchParams | undefined, signal })
