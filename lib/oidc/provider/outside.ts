import type { Configuration } from 'oidc-provider'
import { env } from '@/lib/kernel/env'
import { fetchOutside, isPublicAddress, type Reach } from '@/lib/kernel/http/outside'
import { isNamedPrivate } from '@/lib/platform/trusted-proxies/service'

/**
 * In production public addresses and private ones that a network alias names; elsewhere all, because applications run
 * on this machine.
 */
const mayReach: Reach = async (address) =>
  env().PLATFORM_MODE !== 'production' || isPublicAddress(address) || (await isNamedPrivate(address))

/** The `fetch` of the provider, for logouts and published keys of applications. */
export const outside: NonNullable<Configuration['fetch']> = (url, { method, headers, body, signal } = {}) =>
  fetchOutside(String(url), { method, headers, body: body as URLSearchParams | undefined, signal }, mayReach)
