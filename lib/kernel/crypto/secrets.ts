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

/** Each purpose has keys of its own, derived from SECRET_KEYS; the first of those is used, all are understood. */
export type Purpose = 'session' | 'messages' | 'idempotency' | 'identifiers' | 'codes' | 'clients' | 'attempts' | 'oidc'

/** `id` names the key without telling it; a cipher takes `object` three times as fast as `key`. */
type Key = { id: string; key: Buffer; object: KeyObject }
const derived = new Map<Purpose, { secrets: readonly string[]; keys: Key[] }>()

/** The keys of a purpose, newest first: 32 bytes each. */
export function keysOf(purpose: Purpose): Key[] {
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

/** A keyed hash, for values that could be guessed: an identifier, a code, an address. */
export const keyedHash = (purpose: Purpose, value: string): string =>
  createHmac('sha256', newest(purpose).object).update(value).digest('base64url')

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
