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

/**
 * Returns the identifier of the person: the one that they typed in this browser, else the first one of their account
 * that this device allows. Returns null if there is none.
 */
async function identifierFor(ctx: Ctx, account: Account, attempt: Attempt | null): Promise<Typed | null> {
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
 * Signs in a person who has just set a password by a link of a mail. The password is the proof of a flow; the other
 * flows of their schema and the guards still follow (docs/rules/recovery.md#signing-in-afterwards). Returns the address
 * to which they go, the sign-in page if more proofs are needed, or null if the password proves nothing. It never
 * throws, because the password is stored already.
 */
export async function signInByNewPassword(ctx: Ctx, userId: string): Promise<string | null> {
  try {
    const account = await selectAccountById(userId)
    if (!account?.enabled) return null
    const current = await currentAttempt(ctx)
    const unproven = current?.state.proven.length === 0 ? current : null
    const typed = await identifierFor(ctx, account, unproven)
    if (!typed) return null
    const path = unproven?.state.path ?? onward(ctx)
    const beginning = firstStage(await requiredFactors({ identifier: typed.identifier, path }, account), readyFlows())
    const state = beginning && prove({ ...beginning, ...typed, path }, 'credentials')
    // the schema has no password flow
    if (!state) return null
    await beginAttempt(ctx, account, state)
    const attempt = await currentAttempt(ctx)
    if (!attempt?.account) return null
    // no mail about a new device: the mail about the new password names this device already, and after a new password
    // the account knows no browser
    const seen = { before: false, onDevice: false }
    const result = await complete(ctx, { ...attempt, seen }, attempt.account, { termsAgree: undefined })
    return result.next === 'done' ? result.redirect : '/platform/login'
  } catch (error) {
    if (!(error instanceof AppError)) log.warn({ err: error }, 'nobody was signed in after a new password')
    return null
  }
}
