import type { KoaContextWithOIDC } from 'oidc-provider'
import { scopeClaims } from '../claims/service'
import { allowedScopes } from '../consents/service'
import { deleteFirstShare, firstShare } from '../token-store/first-grant'
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
  const allowed = await allowedScopes(session.accountId, client.clientId, scopes)
  const grantId = session.grantIdFor(client.clientId)
  const stored = grantId ? await provider.Grant.find(grantId) : undefined
  const storedScopes = stored ? scopesOf(stored) : []
  const exceeds = storedScopes.some((scope) => !allowed.includes(scope))
  if (stored && !exceeds && storedScopes.length === allowed.length && !grantResources(stored, oidc)) return stored
  if (stored && exceeds) await stored.destroy()
  if (allowed.length === 0) return undefined
  const isReusable = stored && !exceeds
  const grant = isReusable ? stored : new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope(allowed.join(' '))
  grantResources(grant, oidc)
  await grant.save()
  return isReusable ? grant : sharedGrant(oidc, grant)
}

/**
 * Returns the grant that is valid for all simultaneous requests of a session for an application. It includes the APIs
 * of each of them, and never more scopes than the person has consented to by now.
 */
async function sharedGrant(oidc: KoaContextWithOIDC['oidc'], ownGrant: Grant): Promise<Grant> {
  const { client, session, provider } = oidc
  if (!client || !session) return ownGrant
  const { clientId } = client
  const shareKey = { sessionUid: session.uid, clientId }
  for (;;) {
    const { grantId, sid } = await firstShare(shareKey, ownGrant.jti)
    const first = grantId === ownGrant.jti ? ownGrant : await provider.Grant.find(grantId)
    const exceeds = first && scopesOf(first).some((scope) => !scopesOf(ownGrant).includes(scope))
    if (first && !exceeds) {
      session.sidFor(clientId, sid)
      if (first === ownGrant) return ownGrant
      const lacksScopes = scopesOf(ownGrant).some((scope) => !scopesOf(first).includes(scope))
      if (lacksScopes) first.addOIDCScope(ownGrant.getOIDCScope())
      if (grantResources(first, oidc) || lacksScopes) await first.save()
      await ownGrant.destroy()
      return first
    }
    await first?.destroy()
    await deleteFirstShare(shareKey, { grantId, sid })
  }
}
