import { isIP } from 'node:net'
import { env } from '../runtime/env'

/**
 * Returns the id of the relying party to which passkeys belong: the host of PUBLIC_URL, for all domains of the platform
 * (WebAuthn, section 5.11). Returns null if browsers make no passkeys for it: it is an IP address, or neither
 * https nor this machine.
 */
export function relyingPartyId(): string | null {
  const { protocol, hostname } = new URL(env().PUBLIC_URL)
  const isOfThisMachine = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isOfThisMachine) return null
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? null : hostname
}
