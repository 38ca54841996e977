import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, type TermsRequired } from '@/lib/base/runtime/errors'
import { isProviderEnabled } from '@/lib/identity-providers/connections/sign-in'
import { pendingAgreements, requireAgreement, type TermsAnswer } from '../agreements/service'
import type { Attempt } from './attempt'
import { offeredAttributes } from './attributes'
import type { Account } from './queries'

export type Guarded = { ctx: Ctx; attempt: Attempt; account: Account; termsAgree: TermsAnswer[] | undefined }
/** What the sign-in's transaction must store after the guards. */
export type Passed = { agreements: TermsRequired[] }

type Guard = (guarded: Guarded, passed: Passed) => Promise<void>

const blocked: Guard = async ({ account }) => {
  if (!account.enabled) throw new AppError(400, 'accountBlocked')
}

/** The identity provider that proved the person may have been disabled while they were at a later step. */
const providerOff: Guard = async ({ attempt: { state } }) => {
  if (state.provider && !(await isProviderEnabled(state.provider.id)))
    throw new AppError(400, 'attemptExpired', { expired: true })
}

const deviceLimit: Guard = async ({ ctx, attempt }) => {
  // the limit is for typed identifiers, and none was typed
  if (attempt.state.provider || attempt.state.namedByPasskey) return
  if (!(await offeredAttributes(ctx)).includes(attempt.state.idAttribute)) throw new AppError(400, 'deviceLimit')
}

const agreements: Guard = async ({ ctx, account, termsAgree }, passed) => {
  passed.agreements = requireAgreement(await pendingAgreements(ctx, account.agreed), termsAgree)
}

/** In the order of docs/rules/sign-in.md#guards. The first-entry password and the session follow after them. */
const guards: Guard[] = [blocked, providerOff, deviceLimit, agreements]

/** Runs the guards between proven factors and the session. Throws the error of the first one that refuses. */
export async function passGuards(guarded: Guarded): Promise<Passed> {
  const passed: Passed = { agreements: [] }
  for (const guard of guards) await guard(guarded, passed)
  return passed
}
