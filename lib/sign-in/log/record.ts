import type { SQL } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { type FlowId, providerFlow } from '@/lib/access/authentication-schemas/flow-ids'
import type { Ctx, IdAttributeName } from '@/lib/base/context/ctx'
import { keyedHash } from '@/lib/base/crypto/encryption'
import { AppError, type ErrorData } from '@/lib/base/runtime/errors'
import { countUp } from '@/lib/base/runtime/metrics'
import { deviceOf } from '../device'
import { interactionAt, waitingClient } from '../interactions/service'
import type { SignInCause } from './causes'
import { maskOf } from './mask'
import { insertFailure, insertSuccessFrom } from './queries'

/** A refusal that says why to the log alone: the answer is that of its code. */
export class Refused extends AppError {
  constructor(
    readonly why: SignInCause,
    code: string,
    data: ErrorData = {},
  ) {
    super(400, code, data)
  }
}

/** Causes that follow from the code of an error, and so does the answer. */
const causes: Record<string, SignInCause> = {
  errorCode: 'wrongCode',
  errorCodeExpired: 'codeExpired',
  errorCodeAttempts: 'codeAttempts',
  accountBlocked: 'disabled',
  deviceLimit: 'deviceLimit',
  noFlows: 'noWay',
  tooManyAttempts: 'tooMany',
  codeDailyLimit: 'dailyLimit',
  smsUnavailable: 'smsUnavailable',
}
/** Refusals that cost the sender nothing: repeated ones are logged once a minute. */
const cheap: readonly SignInCause[] = ['tooMany', 'dailyLimit', 'smsUnavailable']

/** What was tried, and for whom. */
export type TriedSignIn = {
  kind: IdAttributeName
  /** Normalized. */
  identifier: string
  account: { id: string } | null
  flow: FlowId
  path: string | null
}

/** The keyed hash under which an identifier without an account is found again. */
export const digestOf = (kind: IdAttributeName, identifier: string) =>
  keyedHash('identifiers', `sign-in log ${kind} ${identifier}`)

const fromWhere = async (ctx: Ctx, path: string | null) => {
  const { browser, system } = deviceOf(ctx.userAgent)
  const clientId = await waitingClient(interactionAt(path))
  return { at: ctx.now(), ip: ctx.ip, browser, system, deviceType: ctx.deviceType, clientId }
}

/**
 * Logs a refused step of a sign-in, with the same work for every account and for none
 * (docs/rules/sign-in.md#sign-in-log). An error that says nothing about the person, such as an expired attempt, isn't
 * logged.
 */
export async function logRefusal(ctx: Ctx, error: unknown, { kind, identifier, account, flow, path }: TriedSignIn) {
  if (!(error instanceof AppError)) return
  const cause = error instanceof Refused ? error.why : causes[error.code]
  if (!cause) return
  countUp('platform_sign_ins_total', { outcome: cause, factor: flow })
  const [digest, mask] = [digestOf(kind, identifier), maskOf(kind, identifier)]
  await insertFailure({
    ...(await fromWhere(ctx, path)),
    userId: account?.id ?? null,
    idAttribute: kind,
    digest: account ? null : digest,
    mask: account ? null : mask,
    flow,
    cause,
    reason: null,
    providerId: null,
    once: cheap.includes(cause),
  })
}

/** What was tried at a provider, and for whom, as far as that is known. */
export type TriedProvider = {
  providerId: string
  userId: string | null
  cause: SignInCause
  /** For administrators: clean and short. */
  reason: string | null
  path: string | null
}

/**
 * Logs a sign-in through a provider that was refused; the same from one address within a minute once, because anybody
 * can send answers of their own making.
 */
export async function logProviderRefusal(ctx: Ctx, { providerId, userId, cause, reason, path }: TriedProvider) {
  countUp('platform_sign_ins_total', { outcome: cause, factor: providerFlow })
  await insertFailure({
    ...(await fromWhere(ctx, path)),
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

/** What was used again at the OpenID Provider: whose it was, and at which client. */
export type ReusedAt = { userId: string | null; clientId: string; cause: SignInCause }

/** Logs that something was used again which works once. The caller sees to it that this isn't often. */
export async function logReuse(tx: Transaction, ctx: Ctx, { userId, clientId, cause }: ReusedAt) {
  const row = { userId, idAttribute: null, digest: null, mask: null, flow: null, cause, reason: null, providerId: null }
  await insertFailure({ ...(await fromWhere(ctx, null)), clientId, ...row, once: false }, tx)
}

/** The kind of identifier that was typed; null if nobody signed in by one. */
export type SignedInBy = IdAttributeName | null

type SignedIn = {
  userId: string
  kind: SignedInBy
  flows: readonly string[]
  path: string | null
  providerId: string | null
  /** What of the person was left out of the account, as `field code, field code`. */
  reason: string | null
}

/** Returns the statement that logs a session which the CTE `from` starts: it belongs to the session's own statement. */
export async function successFrom(
  ctx: Ctx,
  from: string,
  { userId, kind, flows, path, providerId, reason }: SignedIn,
): Promise<SQL> {
  countUp('platform_sign_ins_total', { outcome: 'success', factor: flows.join('+') || 'none' })
  return insertSuccessFrom(from, {
    ...(await fromWhere(ctx, path)),
    userId,
    idAttribute: kind,
    flows: [...flows],
    providerId,
    reason,
  })
}
