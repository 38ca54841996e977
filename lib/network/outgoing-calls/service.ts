import { fetchOutside, isPublicAddress, type Reach } from '@/lib/base/http/outside'
import { env } from '@/lib/base/runtime/env'
import { isNamedPrivate } from '../trusted-proxies/service'

/**
 * In production public addresses and private ones that a network alias names; elsewhere all, because applications run
 * on this machine.
 */
const mayReach: Reach = async (address) =>
  env().PLATFORM_MODE !== 'production' || isPublicAddress(address) || (await isNamedPrivate(address))

/**
 * Calls an address that a person entered, and reads at most 256 KB or `most` bytes. Throws AddressBlocked, and errors of
 * the connection (docs/rules/operations.md#outgoing-calls).
 */
export const callOutside = (address: string | URL, asked: Parameters<typeof fetchOutside>[1], most?: number) =>
  fetchOutside(address, asked, mayReach, most)
