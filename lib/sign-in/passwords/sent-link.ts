import { z } from 'zod'
import type { Cookies } from '@/lib/base/context/ctx'
import { decrypt, encrypt } from '@/lib/base/crypto/encryption'

/** The link that this browser has asked for: no address names an e-mail. */
export const SentLink = z.object({
  email: z.string(),
  /** When another one may be requested, in milliseconds since the epoch. */
  resendAt: z.number(),
})
export type SentLink = z.output<typeof SentLink>

const cookie = 'recovery'
const encryptionContext = 'a recovery link that was sent'
/** Seconds for which the page says that a link was sent. */
const lifetime = 3_600

/** Stores in this browser that a link was sent. */
export const storeSentLink = (cookies: Cookies, sent: SentLink) =>
  cookies.set(cookie, encrypt('forms', JSON.stringify(sent), encryptionContext), { maxAge: lifetime })

/** Returns the link that was sent last; null if this browser has asked for none within the hour. */
export function readSentLink(cookies: Pick<Cookies, 'get'>): SentLink | null {
  const text = cookies.get(cookie)
  if (!text) return null
  try {
    return SentLink.parse(JSON.parse(decrypt('forms', text, encryptionContext)))
  } catch {
    return null
  }
}
