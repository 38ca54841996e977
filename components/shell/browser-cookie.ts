import { cookieLifetime } from '@/lib/base/http/cookie-lifetime'

/** Stores a person's choice in this browser. */
export function keepChoice(name: 'locale' | 'theme', value: string) {
  const secure = window.location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox before 140 and in Safari before 18.4
  document.cookie = `${name}=${encodeURIComponent(value)}; Max-Age=${cookieLifetime}; Path=/; SameSite=Lax${secure}`
}
