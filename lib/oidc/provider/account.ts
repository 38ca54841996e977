import type { Configuration } from 'oidc-provider'
import { accountClaims, mayUse } from '@/lib/oidc/claims/service'
import { hasConsent } from '@/lib/oidc/consents/service'

/** Where a person is there to be asked. */
const pageRoutes = new Set(['authorization', 'resume', 'code_verification', 'device_resume'])

/** The person as the provider asks for them; nobody where they or the application may not go on. */
export const findAccount: NonNullable<Configuration['findAccount']> = async ({ oidc: { client, route } }, sub) => {
  const claimsOf = await accountClaims(sub)
  if (!claimsOf || !client) return undefined
  // an authorization request has a page for this; what goes on without a browser ends
  const page = pageRoutes.has(route)
  if (!page && !((await mayUse(sub, client.clientId)) && (await hasConsent(sub, client.clientId)))) return undefined
  return { accountId: sub, claims: (_use, scope) => claimsOf(scope, client.clientId) }
}
