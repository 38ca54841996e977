import { readyFlows } from '@/lib/access/authentication-schemas/flows'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { beginAttempt, currentAttempt } from './attempt'
import { complete, type StepResult } from './complete'
import { type AttemptState, provenByProvider } from './machine'
import { selectAccountById } from './queries'
import { requiredFactors } from './required-factors'

type Proven = { provider: NonNullable<AttemptState['provider']>; path: string | null }

/**
 * Signs in a person whom an identity provider has proven, with the same steps and guards as for everybody. The second
 * factor of their schema and the agreements still follow on the sign-in page. Throws 400 and 403 as `complete`, and 400
 * accountBlocked (docs/rules/providers.md#sign-in).
 */
export async function signInByProvider(ctx: Ctx, userId: string, { provider, path }: Proven): Promise<StepResult> {
  const account = await selectAccountById(userId)
  if (!account?.enabled) throw new AppError(400, 'accountBlocked')
  const { login: identifier } = account
  const demands = await requiredFactors({ identifier, path }, account)
  const state: AttemptState = {
    ...provenByProvider(demands, readyFlows()),
    ...{ idAttribute: 'login', identifier, typed: identifier, path, provider },
  }
  await beginAttempt(ctx, account, state)
  const attempt = await currentAttempt(ctx)
  if (!attempt?.account) throw new AppError(409)
  return complete(ctx, attempt, attempt.account, { termsAgree: undefined })
}
