import { decrypt, encrypt } from '@/lib/base/crypto/encryption'
import type { ProviderView } from './view'

/** The cookie with which a page asks to be drawn once more; only scripts of that page set it, for its own path. */
export const redrawCookie = 'view'

const encryptionContext = 'a view to draw again'

/**
 * Encrypts a view for its own page. The page sends it back when the person changes the language: many pages answer a
 * form, so their address would show another page.
 */
export const encryptView = (view: ProviderView): string => encrypt('oidc', JSON.stringify(view), encryptionContext)

/** Returns the view that `encryptView` encrypted; null for any other text. */
export function decryptView(text: string | undefined): ProviderView | null {
  if (!text) return null
  try {
    return JSON.parse(decrypt('oidc', text, encryptionContext))
  } catch {
    return null
  }
}
