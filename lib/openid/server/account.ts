import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { accountClaims, mayUse } from '../claims/service'
import { hasConsent } from '../consents/service'
import { rowsReadWithToken } from '../token-store/joint-read'

/** Routes at which the OpenID Provider can show the person a page. */
const pageRoutes = new Set(['authorization', 'resume', 'code_verification', 'device_resume'])

type Source = { sid?: unknown; sessionUid?: unknown }

/** Returns the client's name for the session. Older tokens don't contain it; for them it is read from the session. */
async function sidOf({ provider, client }: KoaContextWithOIDC['oidc'], { sid, sessionUid }: Source = {}) {
  if (typeof sid === 'string') return sid
  if (typeof sessionUid !== 'string' || !client) return undefined
  return (await provider.Session.findByUid(sessionUid))?.sidFor(client.clientId)
}

/** The `findAccount` of oidc-provider. Returns undefined when the person or the application must not continue. */
export const findAccount: NonNullable<Configuration['findAccount']> = async ({ oidc }, sub, token) => {
  const { client, route } = oidc
  const given = client ? rowsReadWithToken({ accountId: sub, clientId: client.clientId })?.person : undefined
  const claimsOf = await accountClaims(sub, given)
  if (!claimsOf || !client) return undefined
  // an authorization request shows a page for this case; a request without a browser fails
  const page = pageRoutes.has(route)
  const { clientId } = client
  if (!page && !((await mayUse(sub, clientId, given)) && (await hasConsent(sub, clientId, given)))) return undefined
  return {
    accountId: sub,
    claims: async (_use, scope) => {
      const [claims, sid] = await Promise.all([claimsOf(scope, clientId), sidOf(oidc, token as Source)])
      return { ...claims, sid }
    },
  }
}
