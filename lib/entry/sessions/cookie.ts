import { decode, encode } from 'next-auth/jwt'
import { keysOf } from '@/lib/kernel/crypto/secrets'

const secrets = () => keysOf('session').map(({ key }) => key.toString('hex'))

/** Seals a session id into the value of the session cookie; `maxAge` in seconds. */
export async function sealSession(sessionId: string, maxAge: number): Promise<string> {
  const [secret = ''] = secrets()
  return encode({ token: { sid: sessionId }, secret, maxAge })
}

/** The session id in a cookie's value, sealed with any of the keys; undefined if forged or too old. */
export async function openSession(value: string): Promise<string | undefined> {
  if (value.length > 2048) return undefined
  for (const secret of secrets()) {
    const token = await decode({ token: value, secret }).catch(() => null)
    if (typeof token?.sid === 'string') return token.sid
  }
  return undefined
}
