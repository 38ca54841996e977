import { mask, maskedAddress } from '../text/masks'
import type { Secrets } from './entity'

/** A value as PostgreSQL stores it in jsonb. */
export type Plain = null | boolean | number | string | Plain[] | { [member: string]: Plain }

// jsonb accepts neither half of a surrogate pair nor NUL, and such a text must not make the change fail
const storable = (text: string) => text.toWellFormed().replaceAll('\u0000', '\ufffd')

const isPlainObject = (value: object) => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/**
 * Returns a value as it is stored: dates as ISO texts, undefined as null, members without a value left out. Throws
 * TypeError for what JSON can not hold; the message does not contain the value.
 */
export function plain(value: unknown): Plain {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') return storable(value)
  if (typeof value === 'bigint') return String(value)
  // -0 is 0 in jsonb
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && isPlainObject(value))
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) =>
        member === undefined ? [] : [[storable(name), plain(member)] as const],
      ),
    )
  throw new TypeError(`a ${typeof value} can't be recorded`)
}

/** Returns whether two values are equal; the order of members does not matter, that of list items does. */
export function isSame(first: Plain, second: Plain): boolean {
  if (first === second) return true
  if (first === null || second === null || typeof first !== 'object' || typeof second !== 'object') return false
  if (Array.isArray(first) || Array.isArray(second))
    return (
      Array.isArray(first) &&
      Array.isArray(second) &&
      first.length === second.length &&
      first.every((item, index) => isSame(item, second[index] as Plain))
    )
  const names = Object.keys(first)
  return (
    names.length === Object.keys(second).length &&
    names.every((name) => Object.hasOwn(second, name) && isSame(first[name] as Plain, second[name] as Plain))
  )
}

/** Returns the secret parts of a member, from those of the value that it belongs to. */
export const secretsIn = (secrets: Secrets | undefined, name: string): Secrets | undefined => {
  if (typeof secrets !== 'object') return secrets
  return Object.hasOwn(secrets, name) ? secrets[name] : secrets['*']
}

/**
 * Returns a value with its secrets masked; null stays null. A value of another form than declared is masked as a whole,
 * because it may hold anything.
 */
export function masked(value: Plain, secrets: Secrets | undefined): Plain {
  if (value === null || secrets === undefined) return value
  if (secrets === 'address' && typeof value === 'string') return maskedAddress(value)
  if (typeof secrets !== 'object' || typeof value !== 'object') return mask
  if (Array.isArray(value)) return value.map((item) => masked(item, secrets))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, masked(member, secretsIn(secrets, name))]),
  )
}
