import type { AuthOptions } from 'next-auth'
import { needed } from '../needed.ts'

const {
  ISSUER: issuer = 'http://localhost:3000/oidc',
  CLIENT_ID: clientId = 'procurement',
  CLIENT_SECRET: clientSecret = 'procurement-demo-secret',
} = process.env
const wellKnown = `${issuer}/.well-known/openid-configuration`

export { clientId, issuer }

const told: Record<string, unknown> = await fetch(wellKnown).then((answer) => answer.json())
export const metadata = {
  jwks: needed(told.jwks_uri, 'jwks_uri'),
  token: needed(told.token_endpoint, 'token_endpoint'),
  userinfo: needed(told.userinfo_endpoint, 'userinfo_endpoint'),
  endSession: needed(told.end_session_endpoint, 'end_session_endpoint'),
}

type Tokens = { access_token: string; refresh_token: string; id_token: string; expires_at: number }
/** `renewals`: how often the tokens have been renewed. */
type Session = Tokens & { renewals: number }

/**
 * What is known of each session at the platform, by its `sid`; in a real application a table or Redis. Not in the
 * cookie: pages of Next can't write one, so a refresh token that was renewed there would be lost.
 */
const sessions = new Map<string, Session>()
const renewing = new Map<string, Promise<Session | undefined>>()

/** Forgets a session: because the person signs out here, or because the platform says that it is over. */
export const endSession = (sid: string) => sessions.delete(sid)

async function renew(sid: string, session: Session): Promise<Session | undefined> {
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':')
  const answer = await fetch(metadata.token, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(credentials)}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: session.refresh_token }),
  })
  const told = await answer.json()
  if (told.error === 'invalid_grant') {
    endSession(sid)
    return undefined
  }
  // 503 and the like: the tokens are still good, the next request tries again
  if (!answer.ok) return session
  const expires_at = Math.floor(Date.now() / 1000) + told.expires_in
  const renewed = { ...session, ...told, expires_at, renewals: session.renewals + 1 }
  // it may have been ended meanwhile
  if (sessions.has(sid)) sessions.set(sid, renewed)
  return sessions.get(sid)
}

/** A session with tokens that are good for 30 seconds at least; nothing when it is over. */
export async function liveSession(sid: string): Promise<Session | undefined> {
  const session = sessions.get(sid)
  if (!session || session.expires_at > Date.now() / 1000 + 30) return session
  // a refresh token is good once: requests at the same time wait for one renewal
  const renewal = renewing.get(sid) ?? renew(sid, session).finally(() => renewing.delete(sid))
  renewing.set(sid, renewal)
  return renewal
}

export const authOptions: AuthOptions = {
  secret: needed(process.env.NEXTAUTH_SECRET, 'NEXTAUTH_SECRET'),
  providers: [
    {
      id: 'platform',
      name: 'the platform',
      type: 'oauth',
      wellKnown,
      clientId,
      clientSecret,
      authorization: { params: { scope: 'openid profile email roles' } },
      checks: ['pkce', 'state', 'nonce'],
      idToken: true,
      profile: ({ sub, name, email }) => ({ id: sub, name, email }),
    },
  ],
  callbacks: {
    async jwt({ token, account, profile }) {
      if (account) {
        // two people without a name of their session would be one
        const sid = needed((profile as { sid?: unknown } | undefined)?.sid, 'sid')
        sessions.set(sid, {
          access_token: needed(account.access_token, 'access_token'),
          refresh_token: needed(account.refresh_token, 'refresh_token'),
          id_token: needed(account.id_token, 'id_token'),
          // without a time they are renewed at once
          expires_at: account.expires_at ?? 0,
          renewals: 0,
        })
        return { ...token, sid }
      }
      // next-auth answers that nobody is signed in, and takes its cookie away
      if (!(await liveSession(needed(token.sid, 'sid')))) throw new Error('the session is over')
      return token
    },
    session: ({ session, token }) => ({ ...session, sid: token.sid }),
  },
}
