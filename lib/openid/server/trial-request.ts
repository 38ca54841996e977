import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { orUnavailable } from '../token-store/unavailable'
import { trialAddress } from '../trials/service'
import { asksForTrial, type Holder, readTrial } from '../trials/trial-store'
import { requestOf } from './request'

/** Authorization requests that are exactly that of a trial, each for the first time. */
const trialRequests = new WeakSet<IncomingMessage>()

/** Returns the person and the session of a request; null if nobody is signed in. */
export async function holderOf(req: IncomingMessage): Promise<Holder | null> {
  const { session, user } = await requestOf(req).ctx()
  return session && user ? { userId: user.id, sessionId: session.id } : null
}

/**
 * Marks an authorization request if it is that of a trial, before oidc-provider checks its redirect address. Throws
 * StoreUnavailable without Redis.
 */
export async function noteTrial({ req, method, path, querystring }: KoaContextWithOIDC): Promise<void> {
  if (method !== 'GET' || path !== '/auth') return
  const params = new URLSearchParams(querystring)
  if (params.get('redirect_uri') !== trialAddress()) return
  const holder = await holderOf(req)
  if (holder && (await orUnavailable(() => asksForTrial(params.get('state') ?? '', holder, querystring))))
    trialRequests.add(req)
}

/** Returns whether a request may use the address of trials, which no client can have by its registration. */
export const isTrialRequest = (req: IncomingMessage | undefined): boolean => req !== undefined && trialRequests.has(req)

/** Returns whether the trial of this request, which may have been interrupted by questions, still waits for its answer. */
export async function isTrialGoingOn({ req, oidc: { params, client } }: KoaContextWithOIDC): Promise<boolean> {
  const state = params?.state
  const holder = await holderOf(req)
  if (typeof state !== 'string' || !holder) return false
  return (await orUnavailable(() => readTrial(state, holder)))?.clientId === client?.clientId
}
