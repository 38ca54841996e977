import { decode, encode } from 'next-auth/jwt'
import { digest, keysOf } from '@/lib/kernel/crypto/secrets'
import type { CtxSession } from '@/lib/kernel/ctx'

const secrets = () => keysOf('session').map(({ key }) => key.toString('hex'))

/** How a session was made: by which schema, and the flows that proved it in their order. */
export type Origin = { schema?: string; proven?: readonly string[] }

/** Seals a session id into the value of the session cookie; `maxAge` in seconds. */
export async function sealSession(sessionId: string, maxAge: number, origin: Origin = {}): Promise<string> {
  const [secret = ''] = secrets()
  return encode({ token: { sid: sessionId, ...origin }, secret, maxAge })
}

/** Seals opened lately, by the cookie's digest: a browser sends the same one with every request. */
const opened = new Map<string, { session: CtxSession; until: number }>()

/** The session in a cookie's value, sealed with any of the keys; undefined if forged or too old. */
export async function openSession(value: string): Promise<CtxSession | undefined> {
  if (value.length > 2048) return undefined
  const key = digest(value)
  const known = opened.get(key)
  if (known) return known.until > Date.now() ? known.session : undefined
  for (const secret of secrets()) {
    const token = await decode({ token: value, secret }).catch(() => null)
    if (typeof token?.sid !== 'string' || typeof token.exp !== 'number') continue
    if (opened.size >= 10_000) opened.clear()
    const { sid: id, schema, proven } = token as { sid: string } & Origin
    const session = { id, ...(schema ? { schema } : {}), ...(proven ? { proven } : {}) }
    opened.set(key, { session, until: token.exp * 1000 })
    return session
  }
  return undefined
}
