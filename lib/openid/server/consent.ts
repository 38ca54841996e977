import { errors, type InteractionResults } from 'oidc-provider'
import type { Ctx } from '@/lib/base/context/ctx'
import { scopeClaims } from '../claims/service'
import { usableClient } from '../clients/service'
import { namedScopes } from '../consents/scopes'
import { asksConsent, giveConsent, grantableScopes } from '../consents/service'
import { scopes } from './grants'
import { namesOf, personOf } from './pages'
import type { ProviderView } from './view'

/** The part of an interaction that a consent needs. */
type Asking = {
  uid: string
  session?: { accountId: string } | undefined
  params: { client_id?: unknown; scope?: unknown; redirect_uri?: unknown }
  prompt: { details: Record<string, unknown> }
  lastSubmission?: InteractionResults | undefined
}

/** Returns the scopes of a request, and those that contain the single claims that it names. */
function wantedScopes({ params, prompt }: Asking): string[] {
  const named = typeof params.scope === 'string' ? params.scope.split(' ') : []
  const claims = Array.isArray(prompt.details.missingOIDCClaims) ? prompt.details.missingOIDCClaims : []
  const byClaims = Object.entries(scopeClaims).flatMap(([scope, list]) =>
    list.some((claim) => claims.includes(claim)) ? [scope] : [],
  )
  return scopes.filter((scope) => named.includes(scope) || byClaims.includes(scope))
}

/**
 * Returns where an address leads in a readable form: a host, or the scheme of a program. What stands in the place of a
 * host behind the scheme of a program is no host: the program gets the address, whatever site it names.
 */
export function hostOf(address: unknown): string | null {
  const url = typeof address === 'string' ? URL.parse(address) : null
  return url && (/^https?:$/.test(url.protocol) ? url.host : url.protocol.slice(0, -1))
}

type Answer = { view: ProviderView } | { result: InteractionResults }
const refused = { result: { error: 'access_denied' } }

/**
 * Asks the person for consent to an external application, or stores their `decision`. Returns what to show, or the
 * result to continue with. The platform's own applications need no consent. Throws SessionNotFound when somebody else
 * is signed in.
 */
export async function consent(
  ctx: Ctx,
  asking: Asking,
  { decision, action }: { decision: 'allow' | 'refuse' | null; action: string },
): Promise<Answer> {
  const { params, session, lastSubmission } = asking
  const clientId = String(params.client_id)
  // the person has consented and the scopes are still missing: nobody can grant them here
  if (decision === 'refuse' || lastSubmission?.consent) return refused
  if (!(await asksConsent(clientId))) return { result: { consent: {} } }
  const client = await usableClient(clientId)
  if (!client) return refused
  if (!ctx.user || ctx.user.id !== session?.accountId) throw new errors.SessionNotFound('somebody else is signed in')

  const wanted = wantedScopes(asking)
  if (decision === 'allow') {
    await giveConsent(ctx, { clientId, scopes: wanted })
    return { result: { consent: {} } }
  }
  const before = await grantableScopes(ctx.user.id, clientId, scopes)
  const added = wanted.filter((scope) => !before.includes(scope))
  const more = before.length > 0 && added.length > 0
  const [address, back] = [hostOf(client.application.url), hostOf(params.redirect_uri)]
  return {
    view: {
      kind: 'consent',
      application: namesOf(client.application),
      address,
      returnTo: back === address ? null : back,
      person: personOf(ctx),
      scopes: namedScopes(more ? added : wanted),
      more,
      action,
    },
  }
}
