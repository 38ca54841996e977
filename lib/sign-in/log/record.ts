import type { SQL } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { type FlowId, passkeyFlow, providerFlow } from '@/lib/access/authentication-schemas/flow-ids'
import type { Ctx, IdAttributeName } from '@/lib/base/context/ctx'
import { keyedHash } from '@/lib/base/crypto/encryption'
import { AppError, type ErrorData } from '@/lib/base/runtime/errors'
import { countUp } from '@/lib/base/runtime/metrics'
import { deviceOf } from '../device'
import { interactionAt, waitingClient } from '../interactions/service'
import type { SignInCause } from './causes'
import { maskOf } from './mask'
import { insertFailure, insertSuccessFrom } from './queries'

/** A refusal with the cause for the sign-in log. The answer has only the code. */
export class SignInRefused extends AppError {
  constructor(
    readonly why: SignInCause,
    code: string,
    data: ErrorData = {},
    /** Whose account it concerns, if the step itself doesn't know it. */
    readonly ownerId: string | null = null,
  ) {
    super(400, code, data)
  }
}

/** The causes that follow from the code of an error. The answer has the same code. */
const causesByCode: Record<string, SignInCause> = {
  errorCode: 'wrongCode',
  errorCodeExpired: 'codeExpired',
  errorCodeAttempts: 'codeAttempts',
  accountBlocked: 'disabled',
  deviceLimit: 'deviceLimit',
  noFlows: 'noWay',
  errorPasskeyOff: 'noWay',
  tooManyAttempts: 'tooMany',
  codeDailyLimit: 'dailyLimit',
  smsUnavailable: 'smsUnavailable',
}
/** Causes of refusals that cost the sender nothing: a repeated one is logged once in a minute. */
const cheapCauses: readonly SignInCause[] = ['tooMany', 'dailyLimit', 'smsUnavailable']

/** The refused step: the identifier, its account and the flow. */
export type RefusedStep = {
  kind: IdAttributeName
  /** Normalized. */
  identifier: string
  account: { id: string } | null
  flow: FlowId
  path: string | null
}

const causeOf = (error: AppError) => (error instanceof SignInRefused ? error.why : causesByCode[error.code])

/** Returns the keyed hash by which the log finds an identifier without an account. */
export const digestOf = (kind: IdAttributeName, identifier: string) =>
  keyedHash('identifiers', `sign-in log ${kind} ${identifier}`)

const circumstancesOf = async (ctx: Ctx, path: string | null) => {
  const { browser, system } = deviceOf(ctx.userAgent)
  const clientId = await waitingClient(interactionAt(path))
  return { at: ctx.now(), ip: ctx.ip, browser, system, deviceType: ctx.deviceType, clientId }
}

/**
 * Logs a refused step of a sign-in. The work is the same with and without an account
 * (docs/rules/sign-in.md#sign-in-log). An error that says nothing about the person, such as an expired attempt, isn't
 * logged.
 */
export async function logRefusal(ctx: Ctx, error: unknown, { kind, identifier, account, flow, path }: RefusedStep) {
  if (!(error instanceof AppError)) return
  const cause = causeOf(error)
  if (!cause) return
  countUp('platform_sign_ins_total', { outcome: cause, factor: flow })
  const [digest, mask] = [digestOf(kind, identifier), maskOf(kind, identifier)]
  await insertFailure({
    ...(await circumstancesOf(ctx, path)),
    userId: account?.id ?? null,
    idAttribute: kind,
    digest: account ? null : digest,
    mask: account ? null : mask,
    flow,
    cause,
    reason: null,
    providerId: null,
    once: cheapCauses.includes(cause),
  })
}

/**
 * Logs a refused sign-in by a passkey alone, of which the account may be unknown. A repeated one from the same address is
 * logged once in a minute, because anybody can send forged signatures.
 */
export async function logPasskeyRefusal(
  ctx: Ctx,
  error: unknown,
  { userId, path }: { userId: string | null; path: string | null },
) {
  if (!(error instanceof AppError)) return
  const cause = causeOf(error)
  if (!cause) return
  countUp('platform_sign_ins_total', { outcome: cause, factor: passkeyFlow })
  await insertFailure({
    ...(await circumstancesOf(ctx, path)),
    ...{ userId: error instanceof SignInRefused ? (error.ownerId ?? userId) : userId, flow: passkeyFlow, cause },
    ...{ idAttribute: null, digest: null, mask: null, reason: null, providerId: null, once: true },
  })
}

/** The refused sign-in through an identity provider; `userId` is null if the account isn't known. */
export type RefusedProviderSignIn = {
  providerId: string
  userId: string | null
  cause: SignInCause
  /** For administrators: clean and short. */
  reason: string | null
  path: string | null
}

/**
 * Logs a refused sign-in through an identity provider. A repeated one from the same address is logged once in a minute,
 * because anybody can send forged answers.
 */
export async function logProviderRefusal(ctx: Ctx, { providerId, userId, cause, reason, path }: RefusedProviderSignIn) {
  countUp('platform_sign_ins_total', { outcome: cause, factor: providerFlow })
  await insertFailure({
    ...(await circumstancesOf(ctx, path)),
    ...{
      userId,
      idAttribute: null,
      digest: null,
      mask: null,
      flow: providerFlow,
      cause,
      reason,
      providerId,
      once: true,
    },
  })
}

/** A second use of a one-time token or code at the OpenID Provider: its user and its client. */
export type Reuse = { userId: string | null; clientId: string; cause: SignInCause }

/** Logs the second use of a one-time token or code. The caller limits how often this happens. */
export async function logReuse(tx: Transaction, ctx: Ctx, { userId, clientId, cause }: Reuse) {
  const row = { userId, idAttribute: null, digest: null, mask: null, flow: null, cause, reason: null, providerId: null }
  await insertFailure({ ...(await circumstancesOf(ctx, null)), clientId, ...row, once: false }, tx)
}

/** The kind of identifier by which a person signed in; null if they signed in without one. */
export type SignedInBy = IdAttributeName | null

type StartedSession = {
  userId: string
  kind: SignedInBy
  flows: readonly string[]
  path: string | null
  providerId: string | null
  /** The data of the person that was left out of the account, as `field code, field code`. */
  reason: string | null
}

/**
 * Returns the statement that logs a session which the CTE named `cte` starts. It is part of the statement that stores
 * the session.
 */
export async function successFrom(
  ctx: Ctx,
  cte: string,
  { userId, kind, flows, path, providerId, reason }: StartedSession,
): Promise<SQL> {
  countUp('platform_sign_ins_total', { outcome: 'success', factor: flows.join('+') || 'none' })
  return insertSuccessFrom(cte, {
    ...(await circumstancesOf(ctx, path)),
    userId,
    idAttribute: kind,
    flows: [...flows],
    providerId,
    reason,
  })
}
