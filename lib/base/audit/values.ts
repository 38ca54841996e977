import { mask, maskedAddress } from '../text/masks'
import type { Secrets } from './entity'

/** A value as PostgreSQL stores it in jsonb. */
export type Plain = null | boolean | number | string | Plain[] | { [member: string]: Plain }

// jsonb accepts neither, and such a name must not make the change fail
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

/** Returns whether two values are the same; the order of members does not matter, that of lists does. */
export function isSame(one: Plain, other: Plain): boolean {
  if (one === other) return true
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return false
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => isSame(item, other[at] as Plain))
    )
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name] as Plain, other[name] as Plain))
  )
}

/** Returns the secret parts of a member, by those of the value that it belongs to. */
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
