import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { env } from '../env'
import { AppError } from '../errors'

/** Each purpose has keys of its own, derived from SECRET_KEYS; the first of those is used, all are understood. */
export const purposes = ['session', 'messages', 'idempotency', 'codes', 'clients', 'oidc', 'keys', 'cursors'] as const
export type Purpose = (typeof purposes)[number]

/** What is counted and chosen by a hash for longer than SECRET_KEYS stay as they are: with keys that are stored. */
export type LastingPurpose = 'identifiers' | 'resends'

/** `id` names the key without telling it; a cipher takes `object` three times as fast as `key`. */
type Key = { id: string; key: Buffer; object: KeyObject }
const derived = new Map<string, { secrets: readonly string[]; keys: Key[] }>()

// one set a process, however often this file is bundled
const shared = globalThis as typeof globalThis & { platformLastingKeys?: Map<LastingPurpose, KeyObject> }
shared.platformLastingKeys ??= new Map()
const lasting = shared.platformLastingKeys

/** Makes a stored key the one for its purpose in this process. */
export const setLastingKey = (purpose: LastingPurpose, key: Buffer) => void lasting.set(purpose, createSecretKey(key))

/** The keys of a purpose, newest first: 32 bytes each. A lasting purpose had such keys before its own was stored. */
export function keysOf(purpose: Purpose | LastingPurpose): Key[] {
  const secrets = env().SECRET_KEYS
  const known = derived.get(purpose)
  if (known?.secrets === secrets) return known.keys
  const keys = secrets.map((secret) => {
    const key = Buffer.from(hkdfSync('sha256', secret, 'identity platform', purpose, 32))
    const id = createHash('sha256').update(key).digest('base64url').slice(0, 6)
    return { id, key, object: createSecretKey(key) }
  })
  derived.set(purpose, { secrets, keys })
  return keys
}

/** By what an operator tells a key of SECRET_KEYS from others; it tells nothing of the key. */
const nameOf = (secret: string) =>
  Buffer.from(hkdfSync('sha256', secret, 'identity platform', 'name', 4)).toString('hex')

type Named = { id: string; marks: Record<Purpose, string> }
let named: { secrets: readonly string[]; keys: Named[] } | undefined

/** The keys of SECRET_KEYS by name, the one that seals first, with what stands before all that each seals. */
export function namedKeys(): Named[] {
  const secrets = env().SECRET_KEYS
  if (named?.secrets !== secrets) {
    const marksOf = (n: number) => purposes.map((purpose) => [purpose, keysOf(purpose)[n]?.id ?? ''])
    const keys = secrets.map((secret, n) => ({ id: nameOf(secret), marks: Object.fromEntries(marksOf(n)) }))
    named = { secrets, keys }
  }
  return named.keys
}

const newest = (purpose: Purpose) => {
  const [first] = keysOf(purpose)
  if (!first) throw new Error('SECRET_KEYS holds no key')
  return first
}

/** Encrypts text for storage with AES-256-GCM; `bound` must be the same when opening (a row's id, say). */
export function seal(purpose: Purpose, text: string, bound = ''): string {
  const { id, object } = newest(purpose)
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', object, iv).setAAD(Buffer.from(bound))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${id}.${iv.toString('base64url')}.${body.toString('base64url')}`
}

/** Decrypts what `seal` gave, with whichever key it was sealed. Throws when it was changed or its key is gone. */
export function unseal(purpose: Purpose, sealed: string, bound = ''): string {
  const [id, iv = '', body = ''] = sealed.split('.')
  const found = keysOf(purpose).find((key) => key.id === id)
  if (!found) throw new Error(`no key ${id} among SECRET_KEYS`)
  const bytes = Buffer.from(body, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', found.object, Buffer.from(iv, 'base64url')).setAAD(
    Buffer.from(bound),
  )
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
}

const hashWith = (key: KeyObject, value: string) => createHmac('sha256', key).update(value).digest('base64url')

function lastingKey(purpose: LastingPurpose): KeyObject {
  const key = lasting.get(purpose)
  // a process begins with loadLastingKeys, and waits with its answers until the database has given them
  if (!key) throw new AppError(503)
  return key
}

const isLasting = (purpose: string): purpose is LastingPurpose => purpose === 'identifiers' || purpose === 'resends'

/**
 * A keyed hash, for values that could be guessed: an identifier, a code, an address. That of a lasting purpose stays
 * the same whatever becomes of SECRET_KEYS; another one is made with the first of them.
 */
export const keyedHash = (purpose: Purpose | LastingPurpose, value: string): string =>
  hashWith(isLasting(purpose) ? lastingKey(purpose) : newest(purpose).object, value)

/** What `keyedHash` may have made of a value, by any of the keys, the newest one's first. */
export const keyedHashes = (purpose: Purpose, value: string): string[] =>
  keysOf(purpose).map(({ object }) => hashWith(object, value))

/** Whether `hash` is the keyed hash of `value` under any of the keys. Takes the same time either way. */
export const isKeyedHash = (purpose: Purpose, value: string, hash: string): boolean =>
  keysOf(purpose)
    .map(({ object }) => timingSafeEqual(createHmac('sha256', object).update(value).digest(), fit(hash)))
    .includes(true)

const fit = (hash: string) => {
  const bytes = Buffer.from(hash, 'base64url')
  return bytes.length === 32 ? bytes : Buffer.alloc(32)
}

/** SHA-256, for values that can't be guessed: random tokens and link ids. */
export const digest = (value: string): string => hash('sha256', value, 'base64url')

/** 256 random bits for a cookie or a link. */
export const randomToken = (): string => randomBytes(32).toString('base64url')
