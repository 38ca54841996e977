import { decode, encode } from 'next-auth/jwt'
import { z } from 'zod'
import type { CtxSession } from '@/lib/base/context/ctx'
import { digest, keysOf, namedKeys } from '@/lib/base/crypto/encryption'

const secrets = () => keysOf('session').map(({ key }) => key.toString('hex'))

/** How a session came to be: by which schema, and which flows were proven, in order. */
export type Origin = { schema?: string; proven?: readonly string[] }

/** The content of a cookie; a cookie of another version may have more. */
export const SessionToken = z.looseObject({
  sid: z.string(),
  /** Seconds since 1970. */
  exp: z.number(),
  schema: z.string().optional(),
  proven: z.array(z.string()).optional(),
})

/** Returns the value of the session cookie: the sealed session id. `maxAge` in seconds. */
export async function sealSession(sessionId: string, maxAge: number, origin: Origin = {}): Promise<string> {
  const [secret = ''] = secrets()
  return encode({ token: { sid: sessionId, ...origin }, secret, maxAge })
}

/** Returns the id of the key that seals cookies now. */
export const cookieKey = (): string => namedKeys()[0]?.id ?? ''

async function readToken(value: string) {
  for (const [n, secret] of secrets().entries()) {
    const token = SessionToken.safeParse(await decode({ token: value, secret }).catch(() => null))
    if (token.success) return { token: token.data, old: n > 0 }
  }
  return undefined
}

/** Recently opened cookies, by their digest: a browser sends the same one with every request. */
const opened = new Map<string, { session: CtxSession; until: number; old: boolean }>()
let openedBy: ReturnType<typeof keysOf> | undefined

/** Forgets everything that was opened with other keys than the current ones. */
function openedLately(key: string) {
  if (openedBy !== keysOf('session')) opened.clear()
  openedBy = keysOf('session')
  return opened.get(key)
}

/** Returns the session in a cookie's value, sealed with any of the keys; undefined if it is forged or too old. */
export async function openSession(value: string): Promise<CtxSession | undefined> {
  if (value.length > 2048) return undefined
  const key = digest(value)
  const known = openedLately(key)
  if (known) return known.until > Date.now() ? known.session : undefined
  const read = await readToken(value)
  if (!read) return undefined
  const { sid: id, exp, schema, proven } = read.token
  const session = { id, ...(schema ? { schema } : {}), ...(proven ? { proven } : {}) }
  if (opened.size >= 10_000) opened.clear()
  opened.set(key, { session, until: exp * 1000, old: read.old })
  return session
}

/**
 * Returns the cookie sealed with the first key, for the rest of its life; undefined if it already is, or is invalid.
 */
export async function resealed(value: string): Promise<{ value: string; maxAge: number } | undefined> {
  if (openedLately(digest(value))?.old === false) return undefined
  const read = await readToken(value)
  if (!read?.old) return undefined
  const { iat: _, exp, jti: _jti, ...content } = read.token
  const maxAge = Math.floor(exp - Date.now() / 1000)
  const [secret = ''] = secrets()
  return maxAge > 0 ? { value: await encode({ token: content, secret, maxAge }), maxAge } : undefined
}
