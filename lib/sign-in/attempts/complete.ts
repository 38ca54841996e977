import { type Database, db, type Transaction } from '@/db/client'
import { appFlow } from '@/lib/access/authentication-schemas/flow-ids'
import { storeStrongerHash } from '@/lib/accounts/users/passwords'
import { entryState } from '@/lib/accounts/users/service'
import { userServices } from '@/lib/applications/menu/service'
import type { Ctx } from '@/lib/base/context/ctx'
import { emit } from '@/lib/base/events/events'
import { addressAfterSignIn, keepsAfterSignIn } from '@/lib/base/navigation/after-sign-in'
import { onward } from '@/lib/base/navigation/onward'
import { AppError } from '@/lib/base/runtime/errors'
import { platformSettings } from '@/lib/site/settings/service'
import { storeAgreements, type TermsAnswer } from '../agreements/service'
import { deviceName } from '../device'
import { emailHashOf } from '../email-hash'
import { createLink } from '../email-links/service'
import { newAppKey, startWithApp } from '../factors/totp/apps'
import { keyOfNewApp } from '../factors/totp/prove'
import { startSession } from '../sessions/service'
import { type Attempt, advanceAttempt, clearAttemptCookie, currentAttempt } from './attempt'
import type { FlowId } from './contract'
import { passGuards } from './guards'
import { nextState, openFlows } from './machine'
import { mailAboutNewDevice } from './new-device-mail'
import { type Account, finishAttempt } from './queries'
import { accountFlowsOf, requiredFactors } from './required-factors'
import { settleAccount } from './settle'

export type StepResult =
  | { next: 'done'; redirect: string }
  | { next: 'set_password'; setPassword: string }
  | { next: 'second_factor'; flows: FlowId[] }

/**
 * Completes a step: the only function that leads from proven flows to a session. Checks which proofs are still needed,
 * runs the guards, and stores everything in one transaction. `newHash` is a stronger hash of the same password. An
 * account that must set its first password gets a link instead of a session. Throws 400 noFlows if the account can't
 * prove what its schemas need, the error of a guard, and 409 if a parallel step was first.
 */
export async function complete(
  ctx: Ctx,
  current: Attempt,
  account: Account,
  { termsAgree, newHash = null }: { termsAgree: TermsAnswer[] | undefined; newHash?: string | null },
): Promise<StepResult> {
  const state = nextState(current.state, await requiredFactors(current.state, account), accountFlowsOf(account))
  if (!state) throw new AppError(400, 'noFlows')
  const attempt = { ...current, state }
  if (state.stage !== 'guards') {
    const beginsApp = openFlows(state).includes(appFlow) && !account.hasAuthenticatorApp && !state.newApp
    await advanceAttempt(
      ctx,
      attempt,
      beginsApp ? { ...state, newApp: { encryptedKey: newAppKey(attempt.id) } } : state,
    )
    return { next: 'second_factor', flows: openFlows(state) }
  }
  const passed = await passGuards({ ctx, attempt, account, termsAgree }).catch(async (error) => {
    // the proofs stay valid while the person reads the terms
    await advanceAttempt(ctx, attempt, attempt.state)
    throw error
  })
  if (account.passwordChangeRequired) {
    await advanceAttempt(ctx, attempt, attempt.state)
    const { firstRefreshAlive } = await platformSettings()
    const setPassword = await db().transaction(async (tx) => {
      await storeAgreements(tx, ctx, account.id, passed.agreements)
      return createLink(tx, ctx, 'entry', { userId: account.id }, firstRefreshAlive)
    })
    return { next: 'set_password', setPassword }
  }
  const { schema, proven, idAttribute, path, provider, newApp, passkey, namedByPasskey } = attempt.state
  const start = async (tx: Transaction | Database) => {
    const claim = finishAttempt({ ...attempt, passkey }, ctx.now())
    const session = await startSession(
      tx,
      ctx,
      account.id,
      claim,
      { schema, proven, ...(passkey && { passkey }) },
      { kind: provider || namedByPasskey ? null : idAttribute, path, provider },
    )
    if (!session) throw new AppError(409)
    return session
  }
  const newDevice = attempt.seen.before && !attempt.seen.onDevice
  // usually nothing else must be stored, and a single statement is enough
  const settles = account.isPrepared && proven.includes('email_code')
  // an app that the person has set up in this attempt is stored with the session only
  const app =
    newApp?.step === undefined
      ? null
      : {
          key: keyOfNewApp(attempt.id, newApp),
          step: newApp.step,
          emailHash: account.email && proven.includes('email_code') ? emailHashOf(account.email) : null,
        }
  const started =
    newHash || newDevice || settles || app || passed.agreements.length > 0
      ? await db().transaction(async (tx) => {
          // lock the account before its attempt, in the order of a change of the password
          if (newHash && account.passwordHash)
            await storeStrongerHash(tx, account.id, { from: account.passwordHash, to: newHash })
          const afterSettling = settles
            ? await settleAccount(tx, ctx, account.id, { proven, passkey, attempt: attempt.id })
            : null
          const newSession = app
            ? await startWithApp(tx, ctx, account.id, { app, start: () => start(tx) })
            : await start(tx)
          const session = afterSettling
            ? { ...newSession, afterCommit: () => afterSettling().then(newSession.afterCommit) }
            : newSession
          await storeAgreements(tx, ctx, account.id, passed.agreements)
          if (!newDevice) return session
          await mailAboutNewDevice(tx, ctx, account, { sessionId: session.sessionId, passkey })
          const event = { userId: account.id, device: deviceName(ctx), ip: ctx.ip }
          const afterEvent = await emit(tx, ctx, 'deviceUsed', event)
          return { ...session, afterCommit: () => session.afterCommit().then(afterEvent) }
        })
      : await start(db())
  await started.afterCommit()
  clearAttemptCookie(ctx)
  return { next: 'done', redirect: await redirectAfterSignIn(ctx, account.id, attempt.state.path) }
}

/**
 * Completes the sign-in after the first-entry password. Returns the address to which the person goes, if this browser's
 * attempt has proven that account; else returns null.
 */
export async function completeAfterEntry(
  ctx: Ctx,
  userId: string,
  termsAgree: TermsAnswer[] | undefined,
): Promise<string | null> {
  const attempt = await currentAttempt(ctx)
  if (attempt?.account?.id !== userId || attempt.state.stage !== 'guards') return null
  const result = await complete(ctx, attempt, attempt.account, { termsAgree })
  return result.next === 'done' ? result.redirect : null
}

/**
 * Returns the address for a person who has just signed in (docs/rules/pages.md#after-sign-in). By default it is the
 * address to which they were going when they had to sign in, such as that of an application.
 */
export async function redirectAfterSignIn(ctx: Ctx, userId: string, path: string | null): Promise<string> {
  const requested = path ?? onward(ctx)
  if (keepsAfterSignIn(requested)) return requested
  const { requiredFieldsEmpty, methodIds } = await entryState(userId)
  return addressAfterSignIn({ services: await userServices({ methodIds }, ctx.domain), requiredFieldsEmpty })
}
