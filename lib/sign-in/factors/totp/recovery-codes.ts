import { randomInt } from 'node:crypto'
import { keyedHash } from '@/lib/base/crypto/encryption'

/** How many recovery codes a person gets at once. */
const recoveryCodeCount = 10

/** Digits and letters that nobody takes for one another: 10 of them have 49 bits. */
const characters = '23456789abcdefghjkmnpqrstvwxyz'
const group = 5

const randomGroup = () => Array.from({ length: group }, () => characters[randomInt(characters.length)]).join('')

/** Returns random recovery codes, such as `k3m9x-7hq2w`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, () => `${randomGroup()}-${randomGroup()}`)

/**
 * Returns the hash by which an account's recovery code is stored. It has a permanent key, because a code must outlive
 * SECRET_KEYS. Letter case, spaces and hyphens of what was typed don't matter.
 */
export const recoveryCodeHash = (userId: string, typed: string): string =>
  keyedHash('identifiers', `recovery code ${userId} ${typed.toLowerCase().replace(/[\s-]/g, '')}`)
