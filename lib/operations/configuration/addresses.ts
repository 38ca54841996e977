import { hasSecretPart, maskedAddress } from '@/lib/kernel/masks'
import type { Content } from './format'

type Webhook = Content['webhooks'][number]

/** Returns what is sealed of a webhook: its secret, and on a line of its own an address that may have a token. */
export const withAddress = (secret: string, url: string) => (hasSecretPart(url) ? `${secret}\n${url}` : secret)

/** Returns a webhook with the address that was sealed with its secret. */
export function withOpenAddress(one: Webhook): Webhook {
  const [secret, url] = one.secret?.split('\n') ?? []
  return secret === undefined || url === undefined ? one : { ...one, secret, url }
}

/** Returns a webhook as a file has it, which others read too. */
export const withMaskedAddress = (one: Webhook): Webhook => ({ ...one, url: maskedAddress(one.url) })
