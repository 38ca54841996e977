import type { KoaContextWithOIDC } from 'oidc-provider'
import { scopeClaims } from '@/lib/oidc/claims/service'
import { grantableScopes } from '@/lib/oidc/consents/service'
import { grantResources } from './resources'

/** All that a client may ask for. */
export const scopes = [...Object.keys(scopeClaims), 'offline_access']

/**
 * What a session grants to a client: an own one all that it may ask for, one of others what the person has agreed to.
 * A grant that holds more than that counts no longer, and its tokens with it.
 */
export async function loadGrant({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider } = oidc
  if (!client || !session?.accountId) return undefined
  const allowed = await grantableScopes(session.accountId, client.clientId, scopes)
  const known = session.grantIdFor(client.clientId)
  const kept = known ? await provider.Grant.find(known) : undefined
  const held = kept?.getOIDCScope().split(' ').filter(Boolean) ?? []
  const exceeds = held.some((scope) => !allowed.includes(scope))
  if (kept && !exceeds && held.length === allowed.length && !grantResources(kept, oidc)) return kept
  if (kept && exceeds) await kept.destroy()
  if (allowed.length === 0) return undefined
  const grant =
    kept && !exceeds ? kept : new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope(allowed.join(' '))
  grantResources(grant, oidc)
  await grant.save()
  return grant
}
