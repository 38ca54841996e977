import { hkdfSync, randomUUID, webcrypto } from 'node:crypto'
import { EncryptJWT, type JWTPayload } from 'jose'
import { decode } from 'next-auth/jwt'
import { z } from 'zod'
import type { CtxSession } from '@/lib/base/context/ctx'
import { digest, keysOf, namedKeys } from '@/lib/base/crypto/encryption'

const secrets = () => keysOf('session').map(({ key }) => key.toString('hex'))

let encrypting: { keys: ReturnType<typeof keysOf>; key: Promise<webcrypto.CryptoKey> } | undefined

/** Returns the key that next-auth derives from the first secret. Its `encode` derives it again for each cookie. */
function encryptionKey(): Promise<webcrypto.CryptoKey> {
  const keys = keysOf('session')
  if (encrypting?.keys !== keys) {
    const [secret = ''] = secrets()
    const derived = hkdfSync('sha256', secret, '', 'NextAuth.js Generated Encryption Key', 32)
    encrypting = { keys, key: webcrypto.subtle.importKey('raw', derived, 'AES-GCM', false, ['encrypt']) }
  }
  return encrypting.key
}

/** Encrypts a token as next-auth's `encode` does. `maxAge` is in seconds. */
const encode = async (token: JWTPayload, maxAge: number): Promise<string> =>
  new EncryptJWT(token)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + maxAge)
    .setJti(randomUUID())
    .encrypt(await encryptionKey())

/** How a session began: the authentication schema, the proven flows in order, and the id of the passkey among them. */
export type SessionOrigin = { schema?: string; proven?: readonly string[]; passkey?: string }

/** The content of a cookie; a cookie of another version may have more. */
export const SessionToken = z.looseObject({
  sid: z.string(),
  /** Seconds since 1970. */
  exp: z.number(),
  schema: z.string().optional(),
  proven: z.array(z.string()).optional(),
  passkey: z.string().optional(),
})

/** Returns the value of the session cookie: the encrypted session id. `maxAge` is in seconds. */
export const encryptCookie = (sessionId: string, maxAge: number, origin: SessionOrigin = {}): Promise<string> =>
  encode({ sid: sessionId, ...origin }, maxAge)

/** Returns the id of the key that encrypts cookies now. */
export const currentKeyId = (): string => namedKeys()[0]?.id ?? ''

async function decryptToken(value: string) {
  for (const [index, secret] of secrets().entries()) {
    const token = SessionToken.safeParse(await decode({ token: value, secret }).catch(() => null))
    if (token.success) return { token: token.data, old: index > 0 }
  }
  return undefined
}

/** Recently decrypted cookies, by their digest: a browser sends the same cookie with every request. */
const decryptedCookies = new Map<string, { session: CtxSession; until: number; old: boolean }>()
let decryptedWith: ReturnType<typeof keysOf> | undefined

/** Returns a decrypted cookie from the cache. Clears the cache first if the keys have changed. */
function cachedCookie(key: string) {
  if (decryptedWith !== keysOf('session')) decryptedCookies.clear()
  decryptedWith = keysOf('session')
  return decryptedCookies.get(key)
}

/**
 * Returns the session in a cookie's value, which any of the keys may have encrypted. Returns undefined if the value is
 * forged or has expired.
 */
export async function decryptCookie(value: string): Promise<CtxSession | undefined> {
  if (value.length > 2048) return undefined
  const key = digest(value)
  const cached = cachedCookie(key)
  if (cached) return cached.until > Date.now() ? cached.session : undefined
  const decrypted = await decryptToken(value)
  if (!decrypted) return undefined
  const { sid: id, exp, schema, proven, passkey } = decrypted.token
  const session = { id, ...(schema && { schema }), ...(proven && { proven }), ...(passkey && { passkey }) }
  if (decryptedCookies.size >= 10_000) decryptedCookies.clear()
  decryptedCookies.set(key, { session, until: exp * 1000, old: decrypted.old })
  return session
}

/**
 * Returns the cookie encrypted with the first key, with the same end. Returns undefined if the first key encrypted it
 * already, or if it is invalid.
 */
export async function reencryptCookie(value: string): Promise<{ value: string; maxAge: number } | undefined> {
  if (cachedCookie(digest(value))?.old === false) return undefined
  const decrypted = await decryptToken(value)
  if (!decrypted?.old) return undefined
  const { iat: _, exp, jti: _jti, ...content } = decrypted.token
  const maxAge = Math.floor(exp - Date.now() / 1000)
  return maxAge > 0 ? { value: await encode(content, maxAge), maxAge } : undefined
}
