import { db, type Transaction } from '@/db/client'
import type { Device } from '@/lib/entry/sessions/device'
import { endCurrentSession, startSession } from '@/lib/entry/sessions/service'
import { keyedHash } from '@/lib/kernel/crypto/secrets'
import type { VerbInput, VerbOutput } from '@/lib/kernel/http/contract'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, fieldError } from '@/lib/kernel/errors'
import { queueMail } from '@/lib/kernel/messages/queue'
import { addressAfterSignIn, ownPath } from '@/lib/kernel/navigation/after-sign-in'
import { accessOf } from '@/lib/people/roles/service'
import { requiredFieldsEmpty } from '@/lib/people/users/service'
import { authenticationSchemas } from '@/lib/platform/authentication-schemas/service'
import { userServices } from '@/lib/platform/menu/service'
import { projectInfo } from '@/lib/platform/project-info/service'
import { storeAgreements } from '@/lib/entry/agreements/service'
import { type Attempt, advanceAttempt, beginAttempt, currentAttempt, dropAttemptCookie } from './attempt'
import { offeredAttributes } from './attributes'
import type { authConfig, authLogin, FlowId, IdAttribute } from './contract'
import { passGuards } from './guards'
import { normalizeIdentifier } from './identifier'
import { type AttemptState, openFlows, prove } from './machine'
import { provePassword } from './password-step'
import { type Account, findAccount, findAccountById, finishAttempt, storePasswordHash } from './queries'
import { schemaFor, simulatedSchema, usableFlows } from './schema'
import { countBegin } from './throttle'

/** Flows that somebody could use now: their transport is ready. */
const ready = (flow: FlowId) => flow === 'credentials'

const canReceive = (account: Account) => (flow: FlowId) =>
  ready(flow) && (flow === 'credentials' || Boolean(flow === 'email_code' ? account.email : account.mobile))

type Identifiers = { [K in IdAttribute]?: string | undefined }

/** The one identifier that the address names. Throws 400 when it is missing or another is there too. */
function identifierOf(kind: IdAttribute, given: Identifiers): string {
  for (const other of ['login', 'email', 'mobile'] as const)
    if (other !== kind && given[other] !== undefined) throw fieldError(other, 'errorUnknownField')
  return normalizeIdentifier(kind, given[kind])
}

/**
 * Starts an attempt in this browser and tells the open flows. Known, unknown and blocked identifiers do the
 * same work and get the same shape of answer. Throws 400 for a malformed identifier, 403 noFlows, 429.
 */
export async function beginSignIn(
  ctx: Ctx,
  { params: { idAttribute }, query }: VerbInput<typeof authConfig>,
): Promise<VerbOutput<typeof authConfig>> {
  const identifier = identifierOf(idAttribute, query)
  if (!(await offeredAttributes(ctx)).includes(idAttribute)) throw fieldError(idAttribute, 'errorIdAttribute')
  await countBegin(ctx.ip)
  const [account, schemas] = await Promise.all([findAccount(idAttribute, identifier), authenticationSchemas()])
  const visible = account?.enabled ? account : null
  const hash = keyedHash('identifiers', `${idAttribute} ${identifier}`)
  const schema = visible
    ? schemaFor(schemas, visible.authenticationSchemaId, visible.roleIds)
    : simulatedSchema(schemas, hash)
  const usable = visible ? canReceive(visible) : ready
  const first = usableFlows(schema.firstFactor, usable)
  if (first.length === 0) throw new AppError(403, 'noFlows')
  await beginAttempt(ctx, account?.id ?? null, {
    idAttribute,
    identifier,
    typed: (query[idAttribute] ?? '').trim(),
    stage: 'first',
    first,
    second: usableFlows(schema.secondFactor, usable),
    secondRequired: schema.secondFactor.length > 0,
    proven: [],
    path: ownPath(query.path),
  })
  return { flows: first, resendIn: 0 }
}

/** The attempt that a step belongs to. Throws 400 with `expired` when it is gone or is about somebody else. */
async function attemptOf(ctx: Ctx, idAttribute: IdAttribute, given: Identifiers): Promise<Attempt> {
  const identifier = identifierOf(idAttribute, given)
  const attempt = await currentAttempt(ctx)
  if (!attempt || attempt.state.idAttribute !== idAttribute || attempt.state.identifier !== identifier)
    throw new AppError(400, 'attemptExpired', { expired: true })
  return attempt
}

/** Proves a flow that is open now and gives the state it leads to. */
async function proveFlow(ctx: Ctx, state: AttemptState, account: Account | null, flow: FlowId, password: string | undefined) {
  if (!openFlows(state).includes(flow)) throw fieldError('flow', 'errorFlow')
  const newHash = await provePassword(ctx, state, account, password)
  const transition = prove(state, flow)
  if (transition.kind === 'refused') throw new AppError(403, 'noFlows')
  return { state: transition.state, newHash }
}

/**
 * Takes one step of signing in: a proof, then the guards, then the session. Of parallel steps one wins (409).
 * Throws 400 for a wrong proof or an attempt that is over, 403 from the guards, 429 when tries come too fast.
 */
export async function signIn(
  ctx: Ctx,
  { params: { idAttribute }, body }: VerbInput<typeof authLogin>,
): Promise<VerbOutput<typeof authLogin>> {
  let attempt = await attemptOf(ctx, idAttribute, body)
  const account = attempt.userId ? await findAccountById(attempt.userId) : null
  let newHash: string | null = null
  if (attempt.state.stage !== 'guards') {
    const proven = await proveFlow(ctx, attempt.state, account, body.flow, body.password)
    newHash = proven.newHash
    if (proven.state.stage === 'second') {
      await advanceAttempt(ctx, attempt, proven.state)
      return { next: 'second_factor' }
    }
    attempt = { ...attempt, state: proven.state }
  }
  if (!account) throw new AppError(400, 'attemptExpired', { expired: true })
  const proven = attempt
  const { agreements } = await passGuards({ ctx, attempt, account, termsAgree: body.termsAgree }).catch(async (error) => {
    // what was proven stays proven while the person reads the terms
    await advanceAttempt(ctx, proven, proven.state)
    throw error
  })

  const started = await db().transaction(async (tx) => {
    if (!(await finishAttempt(tx, proven, ctx.now()))) throw new AppError(409)
    if (newHash) await storePasswordHash(tx, account.id, newHash)
    await storeAgreements(tx, ctx, account.id, agreements)
    const session = await startSession(tx, ctx, account.id)
    if (session.newDevice) await tellOfNewDevice(tx, ctx, account, session.device)
    return session
  })
  await started.afterCommit()
  dropAttemptCookie(ctx)
  return { next: 'done', redirect: await addressAfter(ctx, account.id, proven.state.path) }
}

async function tellOfNewDevice(tx: Transaction, ctx: Ctx, account: Account, device: Device) {
  if (!account.email) return
  const locale = account.locale ?? ctx.locale
  const { options } = await projectInfo(ctx.domain)
  await queueMail(tx, ctx, {
    template: 'newDevice',
    to: account.email,
    userId: account.id,
    locale,
    project: (options[locale] ?? options[ctx.locale])?.projectName ?? '',
    values: {
      name: account.firstName,
      device: [device.browser, device.system].filter(Boolean).join(', ') || '—',
      ip: ctx.ip || '—',
      date: ctx.now(),
    },
  })
}

/** Where the person goes now (portal.md section 2, after sign-in). */
async function addressAfter(ctx: Ctx, userId: string, path: string | null): Promise<string> {
  const [access, requiredEmpty] = await Promise.all([accessOf(userId), requiredFieldsEmpty(userId)])
  const services = await userServices(access, ctx.domain)
  return addressAfterSignIn({ path, services, requiredFieldsEmpty: requiredEmpty.length > 0 })
}

/** What the sign-in page shows now: the step of this browser's attempt, or the first one. */
export async function signInView(ctx: Ctx) {
  const attempt = await currentAttempt(ctx)
  const [flow] = attempt ? openFlows(attempt.state) : []
  if (!attempt || !flow) return null
  return { step: flow, idAttribute: attempt.state.idAttribute, identifier: attempt.state.typed, flows: openFlows(attempt.state) }
}

/** Signs this browser out; doing so again changes nothing. */
export async function signOut(ctx: Ctx) {
  await endCurrentSession(ctx, 'signedOut')
  dropAttemptCookie(ctx)
  return {}
}
