import { pendingAgreements } from '@/lib/entry/agreements/service'
import { endCurrentSession } from '@/lib/entry/sessions/service'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, fieldError, type TermsRequired } from '@/lib/kernel/errors'
import type { VerbInput, VerbOutput } from '@/lib/kernel/http/contract'
import { ownPath } from '@/lib/kernel/navigation/after-sign-in'
import { type Attempt, advanceAttempt, beginAttempt, currentAttempt, dropAttemptCookie } from './attempt'
import { offeredAttributes } from './attributes'
import { type CodeState, codeState, proveCode, sendCode } from './code-step'
import { complete } from './complete'
import type { authCode, authConfig, authLogin, CodeFlow, FlowId, IdAttribute } from './contract'
import { demandsOn, readyFlows } from './demands'
import { normalizeIdentifier } from './identifier'
import { type AttemptState, firstStage, openFlows, prove } from './machine'
import { provePassword } from './password-step'
import { findAccount } from './queries'
import { countBegin } from './throttle'

const isCode = (flow: FlowId | undefined): flow is CodeFlow => flow === 'email_code' || flow === 'sms_code'

type Identifiers = { [K in IdAttribute]?: string | undefined }

/** The one identifier that the address names. Throws 400 when it is missing or another is filled in too. */
function identifierOf(kind: IdAttribute, given: Identifiers): string {
  for (const other of ['login', 'email', 'mobile'] as const)
    if (other !== kind && given[other]) throw fieldError(other, 'errorUnknownField')
  return normalizeIdentifier(kind, given[kind])
}

/**
 * Starts an attempt in this browser and tells the open flows; the same identifier again goes on with the one it
 * has. Known, unknown and blocked identifiers do the same work and get the same shape of answer.
 * Which flows an account can receive doesn't matter yet, or they would tell. Throws 400 for a malformed identifier
 * and noFlows, 429.
 */
export async function beginSignIn(
  ctx: Ctx,
  { params: { idAttribute }, query }: VerbInput<typeof authConfig>,
): Promise<VerbOutput<typeof authConfig>> {
  const identifier = identifierOf(idAttribute, query)
  if (!(await offeredAttributes(ctx)).includes(idAttribute)) throw fieldError(idAttribute, 'errorIdAttribute')
  await countBegin(ctx.ip)
  const account = await findAccount(idAttribute, identifier)
  const path = ownPath(query.path)
  const fresh = firstStage(await demandsOn({ identifier, path }, account), readyFlows())
  if (!fresh) throw new AppError(400, 'noFlows')
  const [flow] = fresh.first
  const typed = (query[idAttribute] ?? '').trim()
  const state: AttemptState = { ...fresh, idAttribute, identifier, typed, path }

  const held = await currentAttempt(ctx)
  const same = held?.state.idAttribute === idAttribute && held.state.identifier === identifier
  // an account that came to be, or changed hands, since then is somebody else
  const samePerson = same && (held.account?.id ?? null) === (account?.id ?? null)
  const attempt = samePerson ? await advanceAttempt(ctx, held, state) : await beginAttempt(ctx, account, state)
  // without Redis no code can be sent anyway: the code call says so
  const code = isCode(flow) ? await codeState({ ...attempt, state }, account, flow).catch(() => null) : null
  return { flows: state.first, resendIn: code?.resendIn ?? 0 }
}

/** The attempt that a step belongs to; `path` leads elsewhere than when it began. Throws 400 with `expired` when it is gone or is about somebody else. */
async function attemptOf(
  ctx: Ctx,
  idAttribute: IdAttribute,
  given: Identifiers,
  path: string | null = null,
): Promise<Attempt> {
  const identifier = identifierOf(idAttribute, given)
  const attempt = await currentAttempt(ctx)
  if (!attempt || attempt.state.idAttribute !== idAttribute || attempt.state.identifier !== identifier)
    throw new AppError(400, 'attemptExpired', { expired: true })
  return path ? { ...attempt, state: { ...attempt.state, path } } : attempt
}

/** Sends a code for a flow that is open now. Throws 400 for another flow, 429 codeDailyLimit, 503 without Redis. */
export async function requestCode(
  ctx: Ctx,
  { params: { idAttribute }, body }: VerbInput<typeof authCode>,
): Promise<VerbOutput<typeof authCode>> {
  const attempt = await attemptOf(ctx, idAttribute, body)
  if (!openFlows(attempt.state).includes(body.flow)) throw fieldError('flow', 'errorFlow')
  return sendCode(ctx, attempt, attempt.account, body.flow)
}

type Proof = { flow: FlowId; password?: string | undefined; code?: string | undefined }

/** Proves a flow that is open now; gives the state with that proof, and a stronger hash of the password if due. */
async function proveFlow(ctx: Ctx, attempt: Attempt, { flow, password, code }: Proof) {
  const state = prove(attempt.state, flow)
  if (!state) throw fieldError('flow', 'errorFlow')
  let newHash: string | null = null
  if (isCode(flow)) await proveCode(ctx, attempt, flow, code)
  else newHash = await provePassword(ctx, attempt, password)
  return { state, newHash }
}

/**
 * Takes one step of signing in: a proof, then another one as long as something is demanded, then the guards, then the
 * session. Of parallel steps one wins (409). Throws 400 for a wrong proof, an attempt that is over, noFlows when
 * no way leads on, and from the guards; 403 for terms; 429 when tries come too fast.
 */
export async function signIn(
  ctx: Ctx,
  { params: { idAttribute }, body }: VerbInput<typeof authLogin>,
): Promise<VerbOutput<typeof authLogin>> {
  const attempt = await attemptOf(ctx, idAttribute, body, ownPath(body.path))
  const { account, state: before } = attempt
  const { state, newHash } =
    before.stage === 'guards' ? { state: before, newHash: null } : await proveFlow(ctx, attempt, body)
  if (!account) throw new AppError(400, 'attemptExpired', { expired: true })
  return complete(ctx, { ...attempt, state }, account, { termsAgree: body.termsAgree, newHash })
}

export type SignInStep = {
  idAttribute: IdAttribute
  /** As it was typed. */
  identifier: string
} & (
  | { step: FlowId; stage: 'first' | 'second'; flows: FlowId[]; code: CodeState | null }
  | { step: 'terms'; flow: FlowId; terms: TermsRequired[] }
)

/** What the sign-in page shows now: the step that this browser's attempt has reached, or null for the first. */
export async function signInStep(ctx: Ctx): Promise<SignInStep | null> {
  const attempt = await currentAttempt(ctx)
  if (!attempt) return null
  const { account } = attempt
  const { idAttribute, typed: identifier, stage, proven } = attempt.state
  if (stage === 'guards') {
    const [flow = 'credentials'] = proven
    const terms = account?.enabled ? await pendingAgreements(ctx, account.agreed) : []
    return terms.length > 0 ? { step: 'terms', idAttribute, identifier, flow, terms } : null
  }
  const flows = openFlows(attempt.state)
  // a code that was asked for is what the person is waiting for, whichever flow stands first
  for (const flow of flows.filter(isCode)) {
    const code = await codeState(attempt, account, flow).catch(() => null)
    if (code?.endTime) return { step: flow, stage, idAttribute, identifier, flows, code }
  }
  const [flow] = flows
  return flow ? { step: flow, stage, idAttribute, identifier, flows, code: null } : null
}

/** Signs this browser out; doing so again changes nothing. */
export async function signOut(ctx: Ctx) {
  await endCurrentSession(ctx, 'signedOut')
  dropAttemptCookie(ctx)
  return {}
}
