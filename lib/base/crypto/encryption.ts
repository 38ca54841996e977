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

/** Each purpose has its own keys, derived from SECRET_KEYS: the first one encrypts, all of them decrypt. */
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
  'forms',
  'factors',
] as const
export type Purpose = (typeof purposes)[number]

/**
 * Purposes of hashes that must outlive SECRET_KEYS, because limits and choices depend on them: their permanent keys are
 * stored.
 */
export const permanentPurposes = ['identifiers', 'resends', 'seals'] as const
export type PermanentPurpose = (typeof permanentPurposes)[number]

/** `id` identifies the key without revealing it; ciphers are three times as fast with `object` as with `key`. */
type Key = { id: string; key: Buffer; object: KeyObject }
const derived = new Map<string, { secrets: readonly string[]; keys: Key[] }>()

// one set for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformLastingKeys?: Map<PermanentPurpose, KeyObject> }
shared.platformLastingKeys ??= new Map()
const permanentKeys = shared.platformLastingKeys

/** Sets the permanent key of a purpose in this process. */
export const setPermanentKey = (purpose: PermanentPurpose, key: Buffer) =>
  void permanentKeys.set(purpose, createSecretKey(key))

/**
 * Returns the keys of a purpose, newest first, 32 bytes each. For a permanent purpose these are the keys that it used
 * before its permanent key was stored.
 */
export function keysOf(purpose: Purpose | PermanentPurpose): Key[] {
  const secrets = env().SECRET_KEYS
  const cachedKeys = derived.get(purpose)
  if (cachedKeys?.secrets === secrets) return cachedKeys.keys
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

type NamedKey = { id: string; marks: Record<Purpose, string> }
let cachedNamedKeys: { secrets: readonly string[]; keys: NamedKey[] } | undefined

/**
 * Returns the keys of SECRET_KEYS by name, the encrypting one first. `marks` has, by purpose, the prefix of all values
 * that the key has encrypted.
 */
export function namedKeys(): NamedKey[] {
  const secrets = env().SECRET_KEYS
  if (cachedNamedKeys?.secrets !== secrets) {
    const prefixesOf = (index: number) => purposes.map((purpose) => [purpose, keysOf(purpose)[index]?.id ?? ''])
    const keys = secrets.map((secret, index) => ({ id: nameOf(secret), marks: Object.fromEntries(prefixesOf(index)) }))
    cachedNamedKeys = { secrets, keys }
  }
  return cachedNamedKeys.keys
}

const newestKey = (purpose: Purpose) => {
  const [first] = keysOf(purpose)
  if (!first) throw new Error('SECRET_KEYS holds no key')
  return first
}

/**
 * Encrypts text for storage with AES-256-GCM. `boundTo`, such as the id of the row, must be the same for decryption.
 */
export function encrypt(purpose: Purpose, text: string, boundTo = ''): string {
  const { id, object } = newestKey(purpose)
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', object, iv).setAAD(Buffer.from(boundTo))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${id}.${iv.toString('base64url')}.${body.toString('base64url')}`
}

/** Decrypts what `encrypt` returned, with the key that encrypted it. Throws if it was changed or its key is missing. */
export function decrypt(purpose: Purpose, encrypted: string, boundTo = ''): string {
  const [id, iv = '', body = ''] = encrypted.split('.')
  const matchingKey = keysOf(purpose).find((key) => key.id === id)
  if (!matchingKey) throw new Error(`no key ${id} among SECRET_KEYS`)
  const bytes = Buffer.from(body, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', matchingKey.object, Buffer.from(iv, 'base64url')).setAAD(
    Buffer.from(boundTo),
  )
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
}

const hashWith = (key: KeyObject, value: string) => createHmac('sha256', key).update(value).digest('base64url')

function permanentKey(purpose: PermanentPurpose): KeyObject {
  const key = permanentKeys.get(purpose)
  // a process calls loadPermanentKeys at start, and answers 503 until the database has returned them
  if (!key) throw new AppError(503)
  return key
}

const isPermanent = (purpose: string): purpose is PermanentPurpose => permanentPurposes.some((each) => each === purpose)

/**
 * Returns a keyed hash, for values that could be guessed: an identifier, a code, an address. The hash of a permanent
 * purpose stays the same when SECRET_KEYS change; other purposes use the first key.
 */
export const keyedHash = (purpose: Purpose | PermanentPurpose, value: string): string =>
  hashWith(isPermanent(purpose) ? permanentKey(purpose) : newestKey(purpose).object, value)

/** Returns the hashes of a value by all keys, that of the newest key first. */
export const keyedHashes = (purpose: Purpose, value: string): string[] =>
  keysOf(purpose).map(({ object }) => hashWith(object, value))

/** Returns whether `hash` is the keyed hash of `value` with any of the keys. The time doesn't depend on the result. */
export const isKeyedHash = (purpose: Purpose, value: string, hash: string): boolean =>
  keysOf(purpose)
    .map(({ object }) => timingSafeEqual(createHmac('sha256', object).update(value).digest(), hashBytes(hash)))
    .includes(true)

const hashBytes = (hash: string) => {
  const bytes = Buffer.from(hash, 'base64url')
  return bytes.length === 32 ? bytes : Buffer.alloc(32)
}

/** Returns the SHA-256, for values that can not be guessed: random tokens and ids of links. */
export const digest = (value: string): string => hash('sha256', value, 'base64url')

/** Returns 256 random bits for a cookie or a link. */
export const randomToken = (): string => randomBytes(32).toString('base64url')
