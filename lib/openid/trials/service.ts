import { calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client'
import { requireMethod, requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { randomToken } from '@/lib/base/crypto/encryption'
import { takePoints } from '@/lib/base/limits/limits'
import { cardPath } from '@/lib/base/navigation/screens'
import { env } from '@/lib/base/runtime/env'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { isKnownClient, recordTrial, usableClient } from '../clients/service'
import { issuer } from '../issuer'
import type * as calls from './contract'
import { type Outcome, readOutcome, storeTrial } from './trial-store'

/** Limit of the trials of one person. */
const tiers = [{ points: 60, duration: 600 }]

/**
 * The address to which the OpenID Provider redirects a trial; no application is there
 * (docs/rules/openid-provider.md#trial-sign-in).
 */
export const trialAddress = (): string => `${issuer()}/trial`

/** Returns the page on which a client is tried, at the issuer’s address, whose sessions sign in to applications. */
export const trialPage = (applicationId: string, clientId: string): string =>
  new URL(
    `${cardPath('PlatformApplication', applicationId)}/trial?${new URLSearchParams({ client: clientId })}`,
    env().PUBLIC_URL,
  ).href

/** Returns whether this domain is the issuer's, whose sessions sign in to applications. */
const isAtIssuer = ({ domain }: Pick<Ctx, 'domain'>): boolean => domain.origin === new URL(env().PUBLIC_URL).origin

type UsableClient = NonNullable<Awaited<ReturnType<typeof usableClient>>>
type TrialBar = 'trialElsewhere' | 'trialUnusable' | 'trialWithKeys' | 'trialWithoutPeople'

/** Returns why nobody can try this client here; null if they can. */
export function trialBar(ctx: Pick<Ctx, 'domain'>, client: UsableClient | null): TrialBar | null {
  if (!isAtIssuer(ctx)) return 'trialElsewhere'
  if (!client) return 'trialUnusable'
  if (!client.grantTypes.includes('authorization_code') || client.redirectUris.length === 0) return 'trialWithoutPeople'
  return client.authMethod === 'private_key_jwt' ? 'trialWithKeys' : null
}

/**
 * Begins a trial of a client for the caller's own session, and returns the address at which it continues. It is
 * recorded, because it uses the client's secret. Needs applications.write and a person. Throws 404, and 409 with the
 * reason why the client can't be tried.
 */
export async function startClientTrial(
  ctx: Ctx,
  { params: { clientId }, body: { scopes } }: ServiceInput<typeof calls.startClientTrial>,
) {
  requireMethod(ctx, 'applications.write')
  requireUser(ctx)
  const client = await usableClient(clientId)
  if (!client && !(await isKnownClient(clientId))) throw notFound()
  const bar = trialBar(ctx, client)
  if (bar || !client) throw new AppError(409, bar ?? 'trialUnusable')
  await takePoints({ name: 'client-trial', key: ctx.user.id, tiers })
  const [state, nonce, verifier] = [randomToken(), randomToken(), randomPKCECodeVerifier()]
  const scope = ['openid', ...scopes].join(' ')
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: trialAddress(),
    response_type: 'code',
    scope,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  const trial = { clientId, applicationId: client.application.id, scope, query, nonce, verifier }
  await storeTrial(state, { userId: ctx.user.id, sessionId: ctx.session.id }, { ...trial, at: ctx.now().toISOString() })
  await recordTrial(ctx, clientId)
  return { address: `${issuer()}/auth?${query}` }
}

/**
 * Returns the outcome of a trial of this application in the caller's own session; null if it is over, or not theirs.
 * Needs applications.write and a person.
 */
export async function readTrialOutcome(
  ctx: Ctx,
  { applicationId, id }: { applicationId: string; id: string },
): Promise<Outcome | null> {
  requireMethod(ctx, 'applications.write')
  requireUser(ctx)
  const outcome = await readOutcome(id, { userId: ctx.user.id, sessionId: ctx.session.id })
  return outcome?.applicationId === applicationId ? outcome : null
}
