import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { accountClaims, mayUse } from '@/lib/oidc/claims/service'
import { hasConsent } from '@/lib/oidc/consents/service'

/** Where a person is there to be asked. */
const pageRoutes = new Set(['authorization', 'resume', 'code_verification', 'device_resume'])

type Source = { sid?: unknown; sessionUid?: unknown }

/** By what name the client knows the session; tokens that were given before they carried it ask the session itself. */
async function sidOf({ provider, client }: KoaContextWithOIDC['oidc'], { sid, sessionUid }: Source = {}) {
  if (typeof sid === 'string') return sid
  if (typeof sessionUid !== 'string' || !client) return undefined
  return (await provider.Session.findByUid(sessionUid))?.sidFor(client.clientId)
}

/** The person as the provider asks for them; nobody where they or the application may not go on. */
export const findAccount: NonNullable<Configuration['findAccount']> = async ({ oidc }, sub, token) => {
  const { client, route } = oidc
  const claimsOf = await accountClaims(sub)
  if (!claimsOf || !client) return undefined
  // an authorization request has a page for this; what goes on without a browser ends
  const page = pageRoutes.has(route)
  if (!page && !((await mayUse(sub, client.clientId)) && (await hasConsent(sub, client.clientId)))) return undefined
  return {
    accountId: sub,
    claims: async (_use, scope) => {
      const [claims, sid] = await Promise.all([claimsOf(scope, client.clientId), sidOf(oidc, token as Source)])
      return { ...claims, sid }
    },
  }
}
