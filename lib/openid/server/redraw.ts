import { decrypt, encrypt } from '@/lib/base/crypto/encryption'
import type { ProviderView } from './view'

/** The cookie with which a page asks to be drawn once more; only scripts of that page set it, for its own path. */
export const redrawCookie = 'view'

const bound = 'a view to draw again'

/**
 * Seals a view for its own page. The page returns it when the person changes the language: many pages answer a form, so
 * their address alone would show another page.
 */
export const sealView = (view: ProviderView): string => encrypt('oidc', JSON.stringify(view), bound)

/** Returns the view that `sealView` sealed; null for any other text. */
export function sealedView(text: string | undefined): ProviderView | null {
  if (!text) return null
  try {
    return JSON.parse(decrypt('oidc', text, bound))
  } catch {
    return null
  }
}
