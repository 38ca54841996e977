import { errors, type InteractionResults } from 'oidc-provider'
import type { Ctx } from '@/lib/base/context/ctx'
import { scopeClaims } from '../claims/service'
import { usableClient } from '../clients/service'
import { namedScopes } from '../consents/scopes'
import { allowedScopes, giveConsent, needsConsent } from '../consents/service'
import { scopes } from './grants'
import { namesOf, personOf } from './pages'
import type { ProviderView } from './view'

/** The part of an interaction that a consent needs. */
type ConsentInteraction = {
  uid: string
  session?: { accountId: string } | undefined
  params: { client_id?: unknown; scope?: unknown; redirect_uri?: unknown }
  prompt: { details: Record<string, unknown> }
  lastSubmission?: InteractionResults | undefined
}

/** Returns the scopes of a request, and those that contain the single claims that it names. */
function requestedScopes({ params, prompt }: ConsentInteraction): string[] {
  const listed = typeof params.scope === 'string' ? params.scope.split(' ') : []
  const claims = Array.isArray(prompt.details.missingOIDCClaims) ? prompt.details.missingOIDCClaims : []
  const byClaims = Object.entries(scopeClaims).flatMap(([scope, scopeClaimNames]) =>
    scopeClaimNames.some((claim) => claims.includes(claim)) ? [scope] : [],
  )
  return scopes.filter((scope) => listed.includes(scope) || byClaims.includes(scope))
}

/**
 * Returns in a readable form where an address leads: a host, or the scheme of a program. The host in a program's
 * address doesn't count, because the program gets the address, whatever site it names.
 */
export function hostOf(address: unknown): string | null {
  const url = typeof address === 'string' ? URL.parse(address) : null
  return url && (/^https?:$/.test(url.protocol) ? url.host : url.protocol.slice(0, -1))
}

type Answer = { view: ProviderView } | { result: InteractionResults }
const refusal = { result: { error: 'access_denied' } }

/**
 * Asks the person for consent to an external application, or stores their `decision`. Returns what to show, or the
 * result to continue with. The platform's own applications need no consent. Throws SessionNotFound when somebody else
 * is signed in.
 */
export async function consent(
  ctx: Ctx,
  interaction: ConsentInteraction,
  { decision, action }: { decision: 'allow' | 'refuse' | null; action: string },
): Promise<Answer> {
  const { params, session, lastSubmission } = interaction
  const clientId = String(params.client_id)
  // the person has consented and the scopes are still missing: nobody can grant them here
  if (decision === 'refuse' || lastSubmission?.consent) return refusal
  if (!(await needsConsent(clientId))) return { result: { consent: {} } }
  const client = await usableClient(clientId)
  if (!client) return refusal
  if (!ctx.user || ctx.user.id !== session?.accountId) throw new errors.SessionNotFound('somebody else is signed in')

  const requested = requestedScopes(interaction)
  if (decision === 'allow') {
    await giveConsent(ctx, { clientId, scopes: requested })
    return { result: { consent: {} } }
  }
  const granted = await allowedScopes(ctx.user.id, clientId, scopes)
  const added = requested.filter((scope) => !granted.includes(scope))
  const more = granted.length > 0 && added.length > 0
  const [address, returnHost] = [hostOf(client.application.url), hostOf(params.redirect_uri)]
  return {
    view: {
      kind: 'consent',
      application: namesOf(client.application),
      address,
      returnTo: returnHost === address ? null : returnHost,
      person: personOf(ctx),
      scopes: namedScopes(more ? added : requested),
      more,
      action,
    },
  }
}
