import type { Configuration } from 'oidc-provider'
import { callOutside } from '@/lib/network/outgoing-calls/service'

/** The `fetch` of the provider, for logouts and published keys of applications. */
export const outside: NonNullable<Configuration['fetch']> = (url, { method, headers, body, signal } = {}) =>
  callOutside(String(url), { method, headers, body: body as URLSearchParams | undefined, signal })
