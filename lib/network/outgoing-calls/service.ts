import { type AllowedAddresses, fetchExternal, isPublicAddress } from '@/lib/base/http/external-fetch'
import { env } from '@/lib/base/runtime/env'
import { isNamedPrivate } from '../trusted-proxies/service'

/**
 * In production public addresses and private ones that a network alias names; elsewhere all, because applications run
 * on this machine.
 */
const mayReach: AllowedAddresses = async (address) =>
  env().PLATFORM_MODE !== 'production' || isPublicAddress(address) || (await isNamedPrivate(address))

/**
 * Calls an address that a person entered, and reads at most 256 KB or `most` bytes. Throws AddressBlocked, and errors of
 * the connection (docs/rules/operations.md#outgoing-calls).
 */
export const callExternal = (address: string | URL, asked: Parameters<typeof fetchExternal>[1], most?: number) =>
  fetchExternal(address, asked, mayReach, most)
