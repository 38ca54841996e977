import { type AllowedAddresses, fetchExternal, isPublicAddress } from '@/lib/base/http/external-fetch'
import { env } from '@/lib/base/runtime/env'
import { isNamedPrivate } from '../trusted-proxies/service'

/**
 * Returns whether an address may be called: in production a public one, or a private one that a network alias names;
 * elsewhere every one, because applications run on this machine.
 */
const isAllowedAddress: AllowedAddresses = async (address) =>
  env().PLATFORM_MODE !== 'production' || isPublicAddress(address) || (await isNamedPrivate(address))

/**
 * Calls an address that a person entered, and reads at most 256 KB or `maxBytes`. Throws AddressBlocked, and errors of
 * the connection (docs/rules/operations.md#outgoing-calls).
 */
export const callExternal = (address: string | URL, request: Parameters<typeof fetchExternal>[1], maxBytes?: number) =>
  fetchExternal(address, request, isAllowedAddress, maxBytes)
