import { hasSecretPart, maskedAddress } from '@/lib/base/text/masks'
import type { Content } from './format'

type Webhook = Content['webhooks'][number]
type Client = Content['clients'][number]

/** Returns what is encrypted of a webhook: its secret, and in a second line its address if that may have a token. */
export const withAddress = (secret: string, url: string) => (hasSecretPart(url) ? `${secret}\n${url}` : secret)

/** Returns a webhook with the address that was encrypted with its secret. */
export function withDecryptedAddress(webhook: Webhook): Webhook {
  const [secret, url] = webhook.secret?.split('\n') ?? []
  return secret === undefined || url === undefined ? webhook : { ...webhook, secret, url }
}

/** Returns a webhook with its address masked, as in a file that other people read. */
export const withMaskedAddress = (webhook: Webhook): Webhook => ({ ...webhook, url: maskedAddress(webhook.url) })

const masked = (address: string | null) => address && maskedAddress(address)

/** Returns a client as in a file without secrets: its addresses are masked, as they may have a token. */
export const withMaskedAddresses = (client: Client): Client => ({
  ...client,
  backchannelLogoutUri: masked(client.backchannelLogoutUri),
  jwksUri: masked(client.jwksUri),
})
