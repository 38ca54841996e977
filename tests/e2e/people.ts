import type { BrowserContext } from '@playwright/test'
import { hashPassword } from '@/lib/base/crypto/password'
import { partnersHost } from '../factories/demo'
import { createRole, createUser } from '../factories/users'
import { type Language, password } from './sign-in-page'

export const partnersOf = (baseURL = '') => baseURL.replace('localhost', partnersHost)

/** Makes the pages of both domains speak a language. */
export const speak = (context: BrowserContext, language: Language, baseURL = '') =>
  context.addCookies([baseURL, partnersOf(baseURL)].map((url) => ({ name: 'locale', value: language, url })))

let hash: Promise<string> | undefined

/** Creates an account that signs in by these flows, with its own role and schema. */
export async function person(
  firstFactor: string[],
  secondFactor: string[] = [],
  wishes: Parameters<typeof createUser>[0] = {},
) {
  const role = await createRole({ firstFactor, secondFactor })
  hash ??= hashPassword(password)
  return createUser({ roles: ['user', role], passwordHash: await hash, ...wishes })
}
