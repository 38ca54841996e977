/** 400 days, the longest that browsers keep a cookie (docs/rules/sessions.md#cookies). */
const lifetime = 34_560_000

/** Stores a person's choice in this browser, where pages and calls read it. */
export function keepChoice(name: 'locale' | 'cookieConsent' | 'theme', value: string) {
  const secure = window.location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox before 140 and in Safari before 18.4
  document.cookie = `${name}=${value}; Max-Age=${lifetime}; Path=/; SameSite=Lax${secure}`
}
