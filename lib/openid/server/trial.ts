import type { IncomingMessage, ServerResponse } from 'node:http'
import * as client from 'openid-client'
import { db } from '@/db/client'
import { holdsMethod } from '@/lib/base/context/access'
import { randomToken } from '@/lib/base/crypto/encryption'
import { log } from '@/lib/base/runtime/log'
import { bindOpenIdSession } from '@/lib/sign-in/sessions/openid-sessions'
import { clientMetadata, usableClient } from '../clients/service'
import { issuer } from '../issuer'
import { endTrialRecords } from '../token-store/trial'
import { orUnavailable } from '../token-store/unavailable'
import { trialBar, trialPage } from '../trials/service'
import { type Outcome, storeOutcome, type Trial, takeTrial } from '../trials/trial-store'
import { fetchInProcess } from './in-process-fetch'
import { requestOf } from './request'
import { oidcProvider } from './service'
import { holderOf } from './trial-request'
import { answerWith } from './view'

const mount = '/oidc'

type TrialResult = Pick<Outcome, 'idToken' | 'userinfo' | 'error'>
type Tokens = { access?: string | undefined; refresh?: string | undefined }

/**
 * Returns the configuration of openid-client for a client, as its application would set it up; its requests stay in
 * this process.
 */
async function applicationOf(req: IncomingMessage, clientId: string, now: Date): Promise<client.Configuration> {
  const [{ handle }, metadata] = await Promise.all([oidcProvider(), clientMetadata(clientId, now)])
  if (!metadata) throw new client.ClientError('the client may not be used')
  const { client_secret: secret, token_endpoint_auth_method: method } = metadata
  const proof =
    !secret || method === 'none'
      ? client.None()
      : method === 'client_secret_post'
        ? client.ClientSecretPost(secret)
        : client.ClientSecretBasic(secret)
  const { id_token_signed_response_alg: alg } = metadata
  return client.discovery(new URL(issuer()), clientId, alg ? { id_token_signed_response_alg: alg } : {}, proof, {
    // no request crosses a network
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    [client.customFetch]: fetchInProcess(handle, req, mount),
  })
}

/** Returns the OAuth code and description of an error. */
function refusalOf(error: unknown): Outcome['error'] {
  const { error: code, error_description: description, code: errorCode, message } = error as Record<string, unknown>
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 500) : '')
  return { code: text(code) || text(errorCode) || 'error', description: text(description) || text(message) }
}

/** Redeems the answer of a trial as its application would, stores the tokens in `tokens`, and returns the claims. */
async function redeem(
  req: IncomingMessage,
  answer: URL,
  trial: Trial,
  tokens: Tokens,
  now: Date,
): Promise<TrialResult> {
  const result: TrialResult = { idToken: null, userinfo: null, error: null }
  try {
    const config = await applicationOf(req, trial.clientId, now)
    const tokenSet = await client.authorizationCodeGrant(config, answer, {
      pkceCodeVerifier: trial.verifier,
      expectedState: answer.searchParams.get('state') ?? '',
      expectedNonce: trial.nonce,
      idTokenExpected: true,
    })
    Object.assign(tokens, { access: tokenSet.access_token, refresh: tokenSet.refresh_token })
    const claims = tokenSet.claims()
    result.idToken = claims ? { ...claims } : null
    result.userinfo = { ...(await client.fetchUserInfo(config, tokenSet.access_token, claims?.sub ?? '')) }
  } catch (error) {
    result.error = refusalOf(error)
  }
  return result
}

/**
 * Takes the answer to a trial, once and in the session of the person who began it: redeems it here, ends the tokens and
 * the grant, and redirects to the page that shows the claims. Anybody else gets a failure page. Throws
 * StoreUnavailable.
 */
export async function finishTrial(req: IncomingMessage, res: ServerResponse, search: string): Promise<void> {
  const ctx = await requestOf(req).ctx()
  const answer = new URL(`${issuer()}/trial${search}`)
  const holder = await holderOf(req)
  const states = answer.searchParams.getAll('state')
  const [state = ''] = states
  const trial = holder && states.length === 1 ? await orUnavailable(() => takeTrial(state, holder)) : null
  const isBarred =
    trial && (!holdsMethod(ctx, 'applications.write') || trialBar(ctx, await usableClient(trial.clientId)))
  if (trial && holder && isBarred) await endTrial(holder, trial, {}, ctx.now())
  if (!trial || !holder || isBarred) return answerWith(req, 403, { kind: 'failure', failure: 'trial' })
  const tokens: Tokens = {}
  const result = await redeem(req, answer, trial, tokens, ctx.now())
  await endTrial(holder, trial, tokens, ctx.now())
  if (result.error)
    log.info({ requestId: ctx.requestId, clientId: trial.clientId, error: result.error.code }, 'a trial was refused')
  const { applicationId, clientId, scope, at } = trial
  const id = await orUnavailable(() => storeOutcome(holder, { applicationId, clientId, scope, at, ...result }))
  const location = `${trialPage(applicationId, clientId)}&${new URLSearchParams({ trial: id })}`
  res.writeHead(303, { location, 'cache-control': 'no-store' }).end()
}

type TrialHolder = { userId: string; sessionId: string }

/** Ends the tokens and the grant of a trial. */
async function endTrial({ userId, sessionId }: TrialHolder, { clientId, at }: Trial, tokens: Tokens, now: Date) {
  await orUnavailable(async () => {
    const bound = await bindOpenIdSession(sessionId, randomToken())
    if (!bound) return
    const trial = { uid: bound.uid, accountId: userId, clientId, since: new Date(at), tokens }
    await db().transaction((tx) => endTrialRecords(tx, trial, now))
  })
}
