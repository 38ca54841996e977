import { createRemoteJWKSet, jwtVerify } from 'jose'

/**
 * Reads back-channel logout tokens that an issuer makes for a client: gives the `sid` of the session that is over.
 * Throws for everything that isn't such a token.
 */
export function logoutTokens(issuer: string, jwksUri: string, clientId: string) {
  const keys = createRemoteJWKSet(new URL(jwksUri))
  return async (token: string): Promise<string> => {
    const { payload } = await jwtVerify(token, keys, { issuer, audience: clientId, typ: 'logout+jwt' })
    const events = Object.keys(payload.events ?? {})
    if (!events.includes('http://schemas.openid.net/event/backchannel-logout')) throw new Error('not about a logout')
    if ('nonce' in payload || typeof payload.sid !== 'string') throw new Error('not a logout token')
    return payload.sid
  }
}
