import type { KoaContextWithOIDC } from 'oidc-provider'
import { scopeClaims } from '../claims/service'
import { grantableScopes } from '../consents/service'
import { firstShare, forgetFirstShare } from '../token-store/first-grant'
import { grantResources } from './resources'

type Grant = InstanceType<KoaContextWithOIDC['oidc']['provider']['Grant']>

/** All scopes that a client may ask for. */
export const scopes = [...Object.keys(scopeClaims), 'offline_access']

const scopesOf = (grant: Grant) => grant.getOIDCScope().split(' ').filter(Boolean)

/**
 * Returns the grant of a session for a client: all scopes for the platform's own applications, for external ones those
 * that the person has consented to. A grant with more scopes than that is destroyed, and its tokens with it.
 */
export async function loadGrant({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider } = oidc
  if (!client || !session?.accountId) return undefined
  const allowed = await grantableScopes(session.accountId, client.clientId, scopes)
  const known = session.grantIdFor(client.clientId)
  const kept = known ? await provider.Grant.find(known) : undefined
  const held = kept ? scopesOf(kept) : []
  const exceeds = held.some((scope) => !allowed.includes(scope))
  if (kept && !exceeds && held.length === allowed.length && !grantResources(kept, oidc)) return kept
  if (kept && exceeds) await kept.destroy()
  if (allowed.length === 0) return undefined
  const reused = kept && !exceeds
  const grant = reused ? kept : new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope(allowed.join(' '))
  grantResources(grant, oidc)
  await grant.save()
  return reused ? grant : sharedGrant(oidc, grant)
}

/**
 * Returns the grant that is valid for all simultaneous requests of a session for an application. It includes the APIs
 * of each of them, and never more scopes than the person has consented to by now.
 */
async function sharedGrant(oidc: KoaContextWithOIDC['oidc'], own: Grant): Promise<Grant> {
  const { client, session, provider } = oidc
  if (!client || !session) return own
  const { clientId } = client
  const asking = { sessionUid: session.uid, clientId }
  for (;;) {
    const { grantId, sid } = await firstShare(asking, own.jti)
    const first = grantId === own.jti ? own : await provider.Grant.find(grantId)
    const exceeds = first && scopesOf(first).some((scope) => !scopesOf(own).includes(scope))
    if (first && !exceeds) {
      session.sidFor(clientId, sid)
      if (first === own) return own
      const lacks = scopesOf(own).some((scope) => !scopesOf(first).includes(scope))
      if (lacks) first.addOIDCScope(own.getOIDCScope())
      if (grantResources(first, oidc) || lacks) await first.save()
      await own.destroy()
      return first
    }
    await first?.destroy()
    await forgetFirstShare(asking, { grantId, sid })
  }
}
