import { pendingAgreements, requireAgreement, type TermsAnswer } from '@/lib/entry/agreements/service'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, type TermsRequired } from '@/lib/kernel/errors'
import { addressVerdict } from '@/lib/platform/access-lists/service'
import type { Attempt } from './attempt'
import { offeredAttributes } from './attributes'
import type { Account } from './queries'

export type Guarded = { ctx: Ctx; attempt: Attempt; account: Account; termsAgree: TermsAnswer[] | undefined }
/** What the guards leave for the sign-in's transaction to store. */
export type Passed = { agreements: TermsRequired[] }

type Guard = (guarded: Guarded, passed: Passed) => Promise<void>

const addressLists: Guard = async ({ ctx }) => {
  if ((await addressVerdict(ctx.ip, ctx.now())) === 'denied') throw new AppError(403, 'addressDenied')
}

const blocked: Guard = async ({ account }) => {
  if (!account.enabled) throw new AppError(403, 'accountBlocked')
}

const deviceLimit: Guard = async ({ ctx, attempt }) => {
  if (!(await offeredAttributes(ctx)).includes(attempt.state.idAttribute)) throw new AppError(403, 'deviceLimit')
}

const agreements: Guard = async ({ ctx, account, termsAgree }, passed) => {
  passed.agreements = requireAgreement(await pendingAgreements(ctx, account.agreed), termsAgree)
}

/** In the order of decisions.md section 6; the first-entry password and the session come after the last. */
const guards: Guard[] = [addressLists, blocked, deviceLimit, agreements]

/** Runs the guards that stand between proven factors and what follows. Throws what the first of them says. */
export async function passGuards(guarded: Guarded): Promise<Passed> {
  const passed: Passed = { agreements: [] }
  for (const guard of guards) await guard(guarded, passed)
  return passed
}
