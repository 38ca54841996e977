import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { digest, randomToken } from '@/lib/base/crypto/encryption'
import { AppError } from '@/lib/base/runtime/errors'
import { deviceHashOf } from '../sessions/service'
import { AttemptState } from './machine'
import { type Account, insertAttempt, moveAttempt, selectAttempt, storeFinished } from './queries'

/** Seconds for which an attempt lives (docs/rules/sign-in.md#attempt). */
const attemptLifetime = 15 * 60
const attemptCookie = 'attempt'

export type Attempt = {
  id: string
  version: number
  state: AttemptState
  account: Account | null
  /** Whether the account has signed in before: anywhere, and in this browser. */
  seen: { before: boolean; onDevice: boolean }
  /** Digest of this browser's device cookie if the account has signed in here before, else null. */
  knownDevice: string | null
  /** Wrong passwords of the account in a row, by the key under which they are counted. */
  failures: Record<string, number>
}

/** Begins an attempt in this browser. If the browser had an attempt before, it loses that one, which then expires. */
export async function beginAttempt(ctx: Ctx, account: Account | null, state: AttemptState) {
  const token = randomToken()
  const now = ctx.now()
  const deviceHash = deviceHashOf(ctx)
  const { id, seenOnDevice } = await insertAttempt(
    {
      tokenHash: digest(token),
      userId: account?.id ?? null,
      domainId: ctx.domain.id,
      state,
      ip: ctx.ip,
      createdAt: now,
      expiresAt: new Date(now.getTime() + attemptLifetime * 1000),
    },
    deviceHash,
  )
  ctx.cookies.set(attemptCookie, token, { maxAge: attemptLifetime })
  return { id, knownDevice: seenOnDevice ? deviceHash : null }
}

/**
 * Returns this browser's attempt. Returns null if there is none, if it has expired, or if it began on another domain.
 */
export async function currentAttempt(ctx: Ctx): Promise<Attempt | null> {
  const token = ctx.cookies.get(attemptCookie)
  if (!token) return null
  const deviceHash = deviceHashOf(ctx)
  const row = await selectAttempt(digest(token), deviceHash, ctx.now())
  if (!row || row.domainId !== ctx.domain.id) return null
  const state = AttemptState.safeParse(row.state)
  if (!state.success) return null
  const { id, version, account, seenBefore, seenOnDevice, failures } = row
  const seen = { before: seenBefore, onDevice: seenOnDevice }
  return { id, version, account, state: state.data, seen, knownDevice: seenOnDevice ? deviceHash : null, failures }
}

/** Stores the next state under a new token. Throws 409 if another request has moved the attempt first. */
export async function advanceAttempt(ctx: Ctx, attempt: Attempt, state: AttemptState): Promise<Attempt> {
  const token = randomToken()
  if (!(await moveAttempt(attempt, { state, tokenHash: digest(token) }))) throw new AppError(409)
  ctx.cookies.set(attemptCookie, token, { maxAge: attemptLifetime })
  return { ...attempt, version: attempt.version + 1, state }
}

export const clearAttemptCookie = (ctx: Ctx) => ctx.cookies.set(attemptCookie, null)

/** Ends the current attempts of an account, except `exceptId`: their proofs are no longer valid for the account. */
export const endAttempts = (tx: Transaction, userId: string, now: Date, exceptId: string | null = null) =>
  storeFinished(tx, userId, exceptId, now)
