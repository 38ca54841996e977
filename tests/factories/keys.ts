import { randomBytes } from 'node:crypto'
import { namedKeys } from '@/lib/base/crypto/encryption'
import { env } from '@/lib/base/runtime/env'

export const freshKey = () => randomBytes(36).toString('base64url')

/** Gives this process other SECRET_KEYS, as if it had started with them. Returns the name of the first. */
export function setKeys(...keys: string[]): string {
  Object.assign(env(), { SECRET_KEYS: keys })
  return namedKeys()[0]?.id ?? ''
}
