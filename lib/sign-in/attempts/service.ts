import { appFlow, providerFlow } from '@/lib/access/authentication-schemas/flow-ids'
import { readyFlows } from '@/lib/access/authentication-schemas/flows'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { ownPath } from '@/lib/base/navigation/after-sign-in'
import { onward } from '@/lib/base/navigation/onward'
import { AppError, fieldError, type TermsRequired } from '@/lib/base/runtime/errors'
import { startAt } from '@/lib/identity-providers/connections/addresses'
import { endAddress } from '@/lib/identity-providers/connections/end-session'
import { claimingProvider } from '@/lib/identity-providers/connections/sign-in'
import { pendingAgreements } from '../agreements/service'
import type { CodeState } from '../codes/redis-code'
import type { FactorAttempt, Proof } from '../factors/factor'
import { factors } from '../factors/registry'
import { issuerName } from '../factors/totp/issuer'
import { readableKey } from '../factors/totp/prove'
import { type QrCode, qrCodeOf } from '../factors/totp/qr'
import { keyAddress } from '../factors/totp/totp'
import { logRefusal } from '../log/record'
import { providerOfSession } from '../sessions/by-provider'
import { endCurrentSession } from '../sessions/service'
import { type Attempt, advanceAttempt, beginAttempt, clearAttemptCookie, currentAttempt } from './attempt'
import { offeredAttributes } from './attributes'
import { countBegin } from './begin-limits'
import { complete } from './complete'
import type * as calls from './contract'
import type { FlowId, IdAttribute } from './contract'
import { normalizeIdentifier } from './identifier'
import { type AttemptState, firstStage, openFlows, prove } from './machine'
import { withPasskeyOffer } from './passkey-use'
import { selectAccount } from './queries'
import { requiredFactors } from './required-factors'

type Identifiers = { [K in IdAttribute]?: string | undefined }

/**
 * Returns the normalized identifier of this kind. Throws 400 if it is missing or invalid, or if another kind is filled
 * in.
 */
function identifierOf(kind: IdAttribute, identifiers: Identifiers): string {
  for (const otherKind of ['login', 'email', 'mobile'] as const)
    if (otherKind !== kind && identifiers[otherKind]) throw fieldError(otherKind, 'errorUnknownField')
  return normalizeIdentifier(kind, identifiers[kind])
}

/** Returns the state of a flow's code. Returns null for a flow without codes, and while Redis is away. */
const codeOf = async (attempt: Omit<FactorAttempt, 'failures'>, flow: FlowId): Promise<CodeState | null> =>
  (await factors[flow].code?.state(attempt).catch(() => null)) ?? null

/**
 * Starts an attempt in this browser and returns the open flows. With the same identifier again, it continues the
 * attempt. The work and the kind of answer are the same for known, unknown and disabled accounts: which flows an
 * account can use doesn't matter yet. Throws 400 for an invalid identifier, 400 noFlows, 429.
 */
export async function authConfig(
  ctx: Ctx,
  { params: { idAttribute }, query }: ServiceInput<typeof calls.authConfig>,
): Promise<ServiceOutput<typeof calls.authConfig>> {
  const identifier = identifierOf(idAttribute, query)
  if (!(await offeredAttributes(ctx)).includes(idAttribute)) throw fieldError(idAttribute, 'errorIdAttribute')
  await countBegin(ctx.ip)
  const account = await selectAccount(idAttribute, identifier)
  const path = ownPath(query.path)
  const beginning = firstStage(await requiredFactors({ identifier, path }, account), readyFlows())
  if (!beginning) throw new AppError(400, 'noFlows')
  const [flow] = beginning.first
  const typed = (query[idAttribute] ?? '').trim()
  const state: AttemptState = { ...beginning, idAttribute, identifier, typed, path }

  const current = await currentAttempt(ctx)
  const sameIdentifier = current?.state.idAttribute === idAttribute && current.state.identifier === identifier
  // the account of the identifier may have changed since the attempt began
  const samePerson = sameIdentifier && (current.account?.id ?? null) === (account?.id ?? null)
  // who has scanned the key of a new app needn't do it again
  const newApp = current?.state.newApp && { encryptedKey: current.state.newApp.encryptedKey }
  const attempt = samePerson
    ? await advanceAttempt(ctx, current, newApp ? { ...state, newApp } : state)
    : await beginAttempt(ctx, account, state)
  // without Redis no code can be sent: authCode then answers with an error
  const code = flow ? await codeOf({ ...attempt, state, account }, flow) : null
  const provider = idAttribute === 'email' && !query.here ? await claimingProvider(identifier) : null
  return {
    flows: state.first,
    resendIn: code?.resendIn ?? 0,
    ...(provider ? { leads: startAt(provider.id, { path, login_hint: identifier }) } : {}),
  }
}

/**
 * Returns this browser's attempt, with `path` if the person now goes elsewhere. Throws 400 attemptExpired if there is
 * no attempt, or if it has another identifier.
 */
async function attemptOf(
  ctx: Ctx,
  idAttribute: IdAttribute,
  identifiers: Identifiers,
  path: string | null = null,
): Promise<Attempt> {
  const identifier = identifierOf(idAttribute, identifiers)
  const attempt = await currentAttempt(ctx)
  if (!attempt || attempt.state.idAttribute !== idAttribute || attempt.state.identifier !== identifier)
    throw new AppError(400, 'attemptExpired', { expired: true })
  return path ? { ...attempt, state: { ...attempt.state, path } } : attempt
}

/** Runs a step of an attempt, and records its refusal in the sign-in log (docs/rules/sign-in.md#sign-in-log). */
async function loggingRefusal<T>(
  ctx: Ctx,
  { state, account }: Attempt,
  flow: FlowId,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const { idAttribute: kind, identifier } = state
    await logRefusal(ctx, error, { kind, identifier, account, flow, path: state.path ?? onward(ctx) })
    throw error
  }
}

/** Sends a code for a flow that is open now, and returns its state. Throws 400 for another flow, 429, 503. */
export async function authCode(
  ctx: Ctx,
  { params: { idAttribute }, body }: ServiceInput<typeof calls.authCode>,
): Promise<ServiceOutput<typeof calls.authCode>> {
  const attempt = await attemptOf(ctx, idAttribute, body)
  if (!openFlows(attempt.state).includes(body.flow)) throw fieldError('flow', 'errorFlow')
  const { code } = factors[body.flow]
  if (!code) throw fieldError('flow', 'errorFlow')
  return loggingRefusal(ctx, attempt, body.flow, () => code.send(ctx, attempt))
}

/** Proves a flow that is open now. Returns the state with the proof and, if needed, a stronger hash of the password. */
async function proveFlow(ctx: Ctx, attempt: Attempt, { flow, ...proof }: Proof & { flow: FlowId }) {
  const state = prove(attempt.state, flow)
  if (!state) throw fieldError('flow', 'errorFlow')
  const { newHash = null, appStep, passkeyId } = await factors[flow].prove(ctx, attempt, proof)
  const newApp = state.newApp && appStep !== undefined ? { ...state.newApp, step: appStep } : state.newApp
  const added = { ...(newApp && { newApp }), ...(passkeyId && { passkey: passkeyId }) }
  return { state: { ...state, ...added }, newHash }
}

/**
 * Takes one step of signing in: a proof, further proofs as long as a factor is missing, the guards, then the session.
 * Of parallel steps one succeeds, the others get 409. Throws 400 for a wrong proof, for an expired attempt, noFlows if
 * the person can't continue, and from the guards; 403 for terms; 429 for too many wrong entries.
 */
export async function authLogin(
  ctx: Ctx,
  { params: { idAttribute }, body }: ServiceInput<typeof calls.authLogin>,
): Promise<ServiceOutput<typeof calls.authLogin>> {
  const attempt = await attemptOf(ctx, idAttribute, body, ownPath(body.path))
  const { account, state: storedState } = attempt
  return loggingRefusal(ctx, attempt, body.flow, async () => {
    const { state, newHash } =
      storedState.stage === 'guards' ? { state: storedState, newHash: null } : await proveFlow(ctx, attempt, body)
    if (!account) throw new AppError(400, 'attemptExpired', { expired: true })
    const result = await complete(ctx, { ...attempt, state }, account, { termsAgree: body.termsAgree, newHash })
    if (result.next !== 'done') return result
    const { redirect } = result
    return { ...result, redirect: await withPasskeyOffer(ctx, account, { proven: state.proven, redirect }) }
  })
}

/** The key of an authenticator app that a person sets up, and its address as a QR code. */
export type NewApp = { key: string; qr: QrCode }

export type SignInStep = {
  idAttribute: IdAttribute
  /** As it was typed. */
  identifier: string
} & (
  | { step: FlowId; stage: 'first' | 'second'; flows: FlowId[]; code: CodeState | null; newApp: NewApp | null }
  | { step: 'terms'; flow: FlowId; terms: TermsRequired[] }
)

/**
 * Returns the authenticator app that the person sets up in this attempt. Returns null for people who have one, and
 * undefined if its key can't be read any more.
 */
async function newAppOf(ctx: Ctx, { id, account, state }: Attempt): Promise<NewApp | null | undefined> {
  if (!account || account.hasAuthenticatorApp || !state.newApp) return null
  const key = readableKey(id, state.newApp)
  return key === null ? undefined : { key, qr: qrCodeOf(keyAddress(await issuerName(ctx), account.login, key)) }
}

/**
 * Returns the step that this browser's attempt has reached, for the sign-in page: that of the named flow if it is open.
 * Returns null for the first step. `code` is null for a flow without codes, and while Redis is away.
 */
export async function signInStep(ctx: Ctx, named?: string): Promise<SignInStep | null> {
  const attempt = await currentAttempt(ctx)
  const newApp = attempt && (await newAppOf(ctx, attempt))
  if (!attempt || newApp === undefined) return null
  const { account } = attempt
  const { idAttribute, typed: identifier, stage, proven } = attempt.state
  if (stage === 'guards') {
    const flow = proven.find((provenFlow) => provenFlow !== providerFlow) ?? 'credentials'
    const terms = account?.enabled ? await pendingAgreements(ctx, account.agreed) : []
    return terms.length > 0 ? { step: 'terms', idAttribute, identifier, flow, terms } : null
  }
  const flows = openFlows(attempt.state)
  const reached = { stage, idAttribute, identifier, flows }
  const steps = await Promise.all(
    flows.map(async (flow) => ({
      step: flow,
      code: await codeOf(attempt, flow),
      newApp: flow === appFlow ? newApp : null,
    })),
  )
  // if a code was requested, the person waits for it, even if another flow comes first
  const step = steps.find(({ step: flow }) => flow === named) ?? steps.find(({ code }) => code?.endTime) ?? steps[0]
  return step ? { ...reached, ...step } : null
}

/**
 * Signs this browser out. Without a session it only removes the cookies. Returns the address where the person can also
 * sign out at the identity provider (docs/rules/providers.md#sign-out).
 */
export async function authLogout(ctx: Ctx): Promise<ServiceOutput<typeof calls.authLogout>> {
  const providerId = ctx.session ? await providerOfSession(ctx.session.id) : null
  await endCurrentSession(ctx, 'signedOut')
  clearAttemptCookie(ctx)
  const leads = providerId ? await endAddress(providerId) : null
  return leads ? { leads } : {}
}
