import { decode, encode } from 'next-auth/jwt'
import { digest, keysOf } from '@/lib/kernel/crypto/secrets'

const secrets = () => keysOf('session').map(({ key }) => key.toString('hex'))

/** Seals a session id into the value of the session cookie; `maxAge` in seconds. */
export async function sealSession(sessionId: string, maxAge: number): Promise<string> {
  const [secret = ''] = secrets()
  return encode({ token: { sid: sessionId }, secret, maxAge })
}

/** Seals opened lately, by the cookie's digest: a browser sends the same one with every request. */
const opened = new Map<string, { sessionId: string; until: number }>()

/** The session id in a cookie's value, sealed with any of the keys; undefined if forged or too old. */
export async function openSession(value: string): Promise<string | undefined> {
  if (value.length > 2048) return undefined
  const key = digest(value)
  const known = opened.get(key)
  if (known) return known.until > Date.now() ? known.sessionId : undefined
  for (const secret of secrets()) {
    const token = await decode({ token: value, secret }).catch(() => null)
    if (typeof token?.sid !== 'string' || typeof token.exp !== 'number') continue
    if (opened.size >= 10_000) opened.clear()
    opened.set(key, { sessionId: token.sid, until: token.exp * 1000 })
    return token.sid
  }
  return undefined
}
