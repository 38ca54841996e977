import { deviceHashOf } from '@/lib/entry/sessions/service'
import { digest, randomToken } from '@/lib/kernel/crypto/secrets'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError } from '@/lib/kernel/errors'
import { AttemptState } from './machine'
import { type Account, findAttempt, insertAttempt, moveAttempt } from './queries'

/** decisions.md section 6: an attempt lives for 15 minutes. */
const lifetime = 15 * 60
const attemptCookie = 'attempt'

export type Attempt = {
  id: string
  version: number
  state: AttemptState
  account: Account | null
  /** Whether the account has signed in before, anywhere and in this browser. */
  seen: { before: boolean; onDevice: boolean }
}

/** Begins an attempt in this browser; one that it had before is forgotten and runs out. */
export async function beginAttempt(ctx: Ctx, account: Account | null, state: AttemptState): Promise<{ id: string }> {
  const token = randomToken()
  const now = ctx.now()
  const id = await insertAttempt({
    tokenHash: digest(token),
    userId: account?.id ?? null,
    domainId: ctx.domain.id,
    state,
    ip: ctx.ip,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetime * 1000),
  })
  ctx.cookies.set(attemptCookie, token, { maxAge: lifetime })
  return { id }
}

/** This browser's attempt, or null when there is none, it has run out, or another domain began it. */
export async function currentAttempt(ctx: Ctx): Promise<Attempt | null> {
  const token = ctx.cookies.get(attemptCookie)
  if (!token) return null
  const row = await findAttempt(digest(token), deviceHashOf(ctx), ctx.now())
  if (!row || row.domainId !== ctx.domain.id) return null
  const state = AttemptState.safeParse(row.state)
  if (!state.success) return null
  const { id, version, account, seenBefore, seenOnDevice } = row
  return { id, version, account, state: state.data, seen: { before: seenBefore, onDevice: seenOnDevice } }
}

/** Stores the next state under a new token. Throws 409 when another request moved the attempt first. */
export async function advanceAttempt(ctx: Ctx, attempt: Attempt, state: AttemptState): Promise<Attempt> {
  const token = randomToken()
  if (!(await moveAttempt(attempt, { state, tokenHash: digest(token) }))) throw new AppError(409)
  ctx.cookies.set(attemptCookie, token, { maxAge: lifetime })
  return { ...attempt, version: attempt.version + 1, state }
}

export const dropAttemptCookie = (ctx: Ctx) => ctx.cookies.set(attemptCookie, null)
