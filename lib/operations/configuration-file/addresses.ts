import { hasSecretPart, maskedAddress } from '@/lib/base/text/masks'
import { addressesOf, type Configured, type Content, type Section } from './sections'

type Webhook = Content['webhooks'][number]

/** Returns what is encrypted of a webhook: its secret, and in a second line its address if that may have a token. */
export const withAddress = (secret: string, url: string) => (hasSecretPart(url) ? `${secret}\n${url}` : secret)

/** Returns a webhook with the address that was encrypted with its secret. */
export function withDecryptedAddress(webhook: Webhook): Webhook {
  const [secret, url] = webhook.secret?.split('\n') ?? []
  return secret === undefined || url === undefined ? webhook : { ...webhook, secret, url }
}

/** Returns an object as in a file that other people read: its addresses are masked, as they may have a token. */
export function withMaskedAddresses<S extends Section>(section: S, object: Configured<S>): Configured<S> {
  const addresses = object as Record<string, string | null>
  const masked = addressesOf(section).map((name) => [name, addresses[name] && maskedAddress(addresses[name])])
  return { ...object, ...Object.fromEntries(masked) }
}
