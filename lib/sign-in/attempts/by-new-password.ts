import { readyFlows } from '@/lib/access/authentication-schemas/flows'
import type { Ctx } from '@/lib/base/context/ctx'
import { onward } from '@/lib/base/navigation/onward'
import { AppError } from '@/lib/base/runtime/errors'
import { log } from '@/lib/base/runtime/log'
import { type Attempt, beginAttempt, currentAttempt } from './attempt'
import { offeredAttributes } from './attributes'
import { complete } from './complete'
import { type AttemptState, firstStage, prove } from './machine'
import { type Account, selectAccountById } from './queries'
import { requiredFactors } from './required-factors'

type Typed = Pick<AttemptState, 'idAttribute' | 'identifier' | 'typed'>

/** By what the person signs in: what they typed in this browser, else what their account has and this device takes. */
async function typedBy(ctx: Ctx, account: Account, attempt: Attempt | null): Promise<Typed | null> {
  if (attempt?.account?.id === account.id) {
    const { idAttribute, identifier, typed } = attempt.state
    return { idAttribute, identifier, typed }
  }
  const offered = await offeredAttributes(ctx)
  for (const idAttribute of ['email', 'login', 'mobile'] as const) {
    const typed = account[idAttribute]
    if (typed && offered.includes(idAttribute)) return { idAttribute, identifier: typed.trim().toLowerCase(), typed }
  }
  return null
}

/**
 * Signs in whoever has just set a password by a mailed link: the password is their proof, and what else their schema
 * demands is still to come, as are the guards (docs/rules/recovery.md#signing-in-afterwards). Returns where they go, the
 * sign-in page if it asks for more, or null if nothing was proven. Never throws: the password is stored whatever happens.
 */
export async function signInByNewPassword(ctx: Ctx, userId: string): Promise<string | null> {
  try {
    const account = await selectAccountById(userId)
    if (!account?.enabled) return null
    const before = await currentAttempt(ctx)
    const waiting = before?.state.proven.length === 0 ? before : null
    const typed = await typedBy(ctx, account, waiting)
    if (!typed) return null
    const path = waiting?.state.path ?? onward(ctx)
    const fresh = firstStage(await requiredFactors({ identifier: typed.identifier, path }, account), readyFlows())
    const state = fresh && prove({ ...fresh, ...typed, path }, 'credentials')
    // a schema without a password: it proves nothing there
    if (!state) return null
    await beginAttempt(ctx, account, state)
    const attempt = await currentAttempt(ctx)
    if (!attempt?.account) return null
    // the mail about the new password tells of this device already, and a change of it makes every browser unknown
    const seen = { before: false, onDevice: false }
    const done = await complete(ctx, { ...attempt, seen }, attempt.account, { termsAgree: undefined })
    return done.next === 'done' ? done.redirect : '/platform/login'
  } catch (error) {
    if (!(error instanceof AppError)) log.warn({ err: error }, 'nobody was signed in after a new password')
    return null
  }
}
