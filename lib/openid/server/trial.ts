import type { IncomingMessage, ServerResponse } from 'node:http'
import * as client from 'openid-client'
import { db } from '@/db/client'
import { holdsMethod } from '@/lib/base/context/access'
import { randomToken } from '@/lib/base/crypto/encryption'
import { log } from '@/lib/base/runtime/log'
import { bindOpenIdSession } from '@/lib/sign-in/sessions/service'
import { clientMetadata, usableClient } from '../clients/service'
import { issuer } from '../issuer'
import { endTrialRecords } from '../token-store/trial'
import { orUnavailable } from '../token-store/unavailable'
import { trialBar, trialPage } from '../trials/service'
import { keepOutcome, type Outcome, type Trial, takeTrial } from '../trials/trial-store'
import { fetchInProcess } from './in-process-fetch'
import { requestOf } from './request'
import { oidcProvider } from './service'
import { holderOf } from './trial-request'
import { answerWith } from './view'

const mount = '/oidc'

type Learned = Pick<Outcome, 'idToken' | 'userinfo' | 'error'>
type Tokens = { access?: string | undefined; refresh?: string | undefined }

/** Returns openid-client for a client, as its application would configure it; its requests stay in this process. */
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
    // nothing of it crosses a network
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    [client.customFetch]: fetchInProcess(handle, req, mount),
  })
}

/** Returns the refusal that an error is, in OAuth's words. */
function refusalOf(error: unknown): Outcome['error'] {
  const { error: code, error_description: description, code: own, message } = error as Record<string, unknown>
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 500) : '')
  return { code: text(code) || text(own) || 'error', description: text(description) || text(message) }
}

/** Redeems the answer of a trial as its application would, notes in `tokens` what it is given, and reads the claims. */
async function learn(req: IncomingMessage, answer: URL, trial: Trial, tokens: Tokens, now: Date): Promise<Learned> {
  const learned: Learned = { idToken: null, userinfo: null, error: null }
  try {
    const config = await applicationOf(req, trial.clientId, now)
    const given = await client.authorizationCodeGrant(config, answer, {
      pkceCodeVerifier: trial.verifier,
      expectedState: answer.searchParams.get('state') ?? '',
      expectedNonce: trial.nonce,
      idTokenExpected: true,
    })
    Object.assign(tokens, { access: given.access_token, refresh: given.refresh_token })
    const claims = given.claims()
    learned.idToken = claims ? { ...claims } : null
    learned.userinfo = { ...(await client.fetchUserInfo(config, given.access_token, claims?.sub ?? '')) }
  } catch (error) {
    learned.error = refusalOf(error)
  }
  return learned
}

/**
 * Takes the answer to a trial, in the session of the person who began it and once: redeems it here, ends what was given,
 * and leads to the page that shows the claims. Anybody else gets a page of refusal. Throws StoreUnavailable.
 */
export async function finishTrial(req: IncomingMessage, res: ServerResponse, search: string): Promise<void> {
  const ctx = await requestOf(req).ctx()
  const answer = new URL(`${issuer()}/trial${search}`)
  const holder = await holderOf(req)
  const states = answer.searchParams.getAll('state')
  const [state = ''] = states
  const trial = holder && states.length === 1 ? await orUnavailable(() => takeTrial(state, holder)) : null
  const barred = trial && (!holdsMethod(ctx, 'applications.write') || trialBar(ctx, await usableClient(trial.clientId)))
  if (trial && holder && barred) await end(holder, trial, {}, ctx.now())
  if (!trial || !holder || barred) return answerWith(req, 403, { kind: 'failure', failure: 'trial' })
  const tokens: Tokens = {}
  const learned = await learn(req, answer, trial, tokens, ctx.now())
  await end(holder, trial, tokens, ctx.now())
  if (learned.error)
    log.info({ requestId: ctx.requestId, clientId: trial.clientId, error: learned.error.code }, 'a trial was refused')
  const { applicationId, clientId, scope, at } = trial
  const id = await orUnavailable(() => keepOutcome(holder, { applicationId, clientId, scope, at, ...learned }))
  const location = `${trialPage(applicationId, clientId)}&${new URLSearchParams({ trial: id })}`
  res.writeHead(303, { location, 'cache-control': 'no-store' }).end()
}

type Held = { userId: string; sessionId: string }

/** Ends what a trial was given. */
async function end({ userId, sessionId }: Held, { clientId, at }: Trial, tokens: Tokens, now: Date) {
  await orUnavailable(async () => {
    const bound = await bindOpenIdSession(sessionId, randomToken())
    if (!bound) return
    const trial = { uid: bound.uid, accountId: userId, clientId, since: new Date(at), tokens }
    await db().transaction((tx) => endTrialRecords(tx, trial, now))
  })
}
