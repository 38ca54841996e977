import { hasSecretPart, maskedAddress } from '@/lib/base/text/masks'
import type { Content } from './format'

type Webhook = Content['webhooks'][number]
type Client = Content['clients'][number]

/** Returns what is sealed of a webhook: its secret, and on a line of its own an address that may have a token. */
export const withAddress = (secret: string, url: string) => (hasSecretPart(url) ? `${secret}\n${url}` : secret)

/** Returns a webhook with the address that was sealed with its secret. */
export function withOpenAddress(one: Webhook): Webhook {
  const [secret, url] = one.secret?.split('\n') ?? []
  return secret === undefined || url === undefined ? one : { ...one, secret, url }
}

/** Returns a webhook as a file has it, which others read too. */
export const withMaskedAddress = (one: Webhook): Webhook => ({ ...one, url: maskedAddress(one.url) })

const masked = (address: string | null) => address && maskedAddress(address)

/** Returns a client as a file without secrets has it: its addresses may have a token too. */
export const withMaskedAddresses = (one: Client): Client => ({
  ...one,
  backchannelLogoutUri: masked(one.backchannelLogoutUri),
  jwksUri: masked(one.jwksUri),
})
