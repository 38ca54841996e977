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
import { env } from '../runtime/env'
import { AppError } from '../runtime/errors'

/** Each purpose has its own keys, derived from SECRET_KEYS; the first one seals, all of them open. */
export const purposes = [
  'session',
  'messages',
  'idempotency',
  'codes',
  'clients',
  'providers',
  'oidc',
  'keys',
  'cursors',
  'license',
  'integration',
  'webhooks',
  'imports',
] as const
export type Purpose = (typeof purposes)[number]

/**
 * Purposes of hashes that must outlive SECRET_KEYS, because limits and choices depend on them: their keys are stored.
 */
export const permanentPurposes = ['identifiers', 'resends', 'seals'] as const
export type PermanentPurpose = (typeof permanentPurposes)[number]

/** `id` identifies the key without revealing it; ciphers are three times as fast with `object` as with `key`. */
type Key = { id: string; key: Buffer; object: KeyObject }
const derived = new Map<string, { secrets: readonly string[]; keys: Key[] }>()

// one set for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformLastingKeys?: Map<PermanentPurpose, KeyObject> }
shared.platformLastingKeys ??= new Map()
const lasting = shared.platformLastingKeys

/** Sets the stored key of a purpose in this process. */
export const setPermanentKey = (purpose: PermanentPurpose, key: Buffer) =>
  void lasting.set(purpose, createSecretKey(key))

/**
 * Returns the keys of a purpose, newest first, 32 bytes each. For a lasting purpose these are the keys that it used
 * before its own was stored.
 */
export function keysOf(purpose: Purpose | PermanentPurpose): Key[] {
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

/** Returns the name by which an operator identifies a key of SECRET_KEYS; it reveals nothing of the key. */
const nameOf = (secret: string) =>
  Buffer.from(hkdfSync('sha256', secret, 'identity platform', 'name', 4)).toString('hex')

type Named = { id: string; marks: Record<Purpose, string> }
let named: { secrets: readonly string[]; keys: Named[] } | undefined

/**
 * Returns the keys of SECRET_KEYS by name, the sealing one first, with the prefix of what each seals for each purpose.
 */
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

/**
 * Encrypts text for storage with AES-256-GCM. `bound` must be the same when it is opened, such as the id of the row.
 */
export function encrypt(purpose: Purpose, text: string, bound = ''): string {
  const { id, object } = newest(purpose)
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', object, iv).setAAD(Buffer.from(bound))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${id}.${iv.toString('base64url')}.${body.toString('base64url')}`
}

/** Decrypts what `encrypt` returned, with the key that sealed it. Throws when it was changed or its key is gone. */
export function decrypt(purpose: Purpose, sealed: string, bound = ''): string {
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

function lastingKey(purpose: PermanentPurpose): KeyObject {
  const key = lasting.get(purpose)
  // a process calls loadLastingKeys at start, and answers 503 until the database has returned them
  if (!key) throw new AppError(503)
  return key
}

const isLasting = (purpose: string): purpose is PermanentPurpose => permanentPurposes.some((each) => each === purpose)

/**
 * Returns a keyed hash, for values that could be guessed: an identifier, a code, an address. The hash of a lasting
 * purpose stays the same when SECRET_KEYS change; others use the first key.
 */
export const keyedHash = (purpose: Purpose | PermanentPurpose, value: string): string =>
  hashWith(isLasting(purpose) ? lastingKey(purpose) : newest(purpose).object, value)

/** Returns the hashes of a value by all keys, that of the newest key first. */
export const keyedHashes = (purpose: Purpose, value: string): string[] =>
  keysOf(purpose).map(({ object }) => hashWith(object, value))

/** Returns whether `hash` is the keyed hash of `value` with any of the keys. Takes the same time either way. */
export const isKeyedHash = (purpose: Purpose, value: string, hash: string): boolean =>
  keysOf(purpose)
    .map(({ object }) => timingSafeEqual(createHmac('sha256', object).update(value).digest(), fit(hash)))
    .includes(true)

const fit = (hash: string) => {
  const bytes = Buffer.from(hash, 'base64url')
  return bytes.length === 32 ? bytes : Buffer.alloc(32)
}

/** Returns the SHA-256, for values that can not be guessed: random tokens and ids of links. */
export const digest = (value: string): string => hash('sha256', value, 'base64url')

/** Returns 256 random bits for a cookie or a link. */
export const randomToken = (): string => randomBytes(32).toString('base64url')
