import { cookieLifetime } from '@/lib/base/http/cookie-lifetime'

type Choice = 'locale' | 'chosenLocale' | 'theme'

function write(name: Choice, value: string, age: number) {
  const secure = window.location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox before 140 and in Safari before 18.4
  document.cookie = `${name}=${encodeURIComponent(value)}; Max-Age=${age}; Path=/; SameSite=Lax${secure}`
}

/** Stores a person's choice in this browser. */
export const keepChoice = (name: Choice, value: string) => write(name, value, cookieLifetime)

/** Stores for an hour a choice that is copied to the account when the person signs in in this browser. */
export const keepForSignIn = (name: Choice, value: string) => write(name, value, 3_600)
