/** 400 days, the longest that browsers keep a cookie (docs/rules/sessions.md#cookies). */
const lifetime = 34_560_000

type Choice = 'locale' | 'chosenLocale' | 'cookieConsent' | 'theme' | 'account'

function write(name: Choice, value: string, path: string, age: number) {
  const secure = window.location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox before 140 and in Safari before 18.4
  document.cookie = `${name}=${encodeURIComponent(value)}; Max-Age=${age}; Path=${path}; SameSite=Lax${secure}`
}

/** Stores a person's choice in this browser. Pages and calls below `path` read it. */
export const keepChoice = (name: Choice, value: string, path = '/') => write(name, value, path, lifetime)

/** Stores for an hour a choice that is copied to the account when the person signs in in this browser. */
export const keepForSignIn = (name: Choice, value: string) => write(name, value, '/', 3_600)

/** Removes a choice that `keepChoice` stored. */
export const dropChoice = (name: Choice, path = '/') => write(name, '', path, 0)
