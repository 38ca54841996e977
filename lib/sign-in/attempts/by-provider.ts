import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { beginAttempt, currentAttempt } from './attempt'
import { type Completed, complete } from './complete'
import { type AttemptState, provenByProvider } from './machine'
import { selectAccountById } from './queries'
import { flowsOf, requiredFactors } from './required-factors'

type Proven = { provider: NonNullable<AttemptState['provider']>; path: string | null }

/**
 * Signs somebody in whom a provider has proven, by the same steps and guards as everybody: the second factor of their
 * schema and the agreements are still to come, and the sign-in page asks for them. Throws 400 and 403 as `complete`, and
 * 400 accountBlocked (docs/rules/providers.md#sign-in).
 */
export async function signInByProvider(ctx: Ctx, userId: string, { provider, path }: Proven): Promise<Completed> {
  const account = await selectAccountById(userId)
  if (!account?.enabled) throw new AppError(400, 'accountBlocked')
  const { login: identifier } = account
  const demands = await requiredFactors({ identifier, path }, account)
  const state: AttemptState = {
    ...provenByProvider(demands, flowsOf(account)),
    ...{ idAttribute: 'login', identifier, typed: identifier, path, provider },
  }
  await beginAttempt(ctx, account, state)
  const attempt = await currentAttempt(ctx)
  if (!attempt?.account) throw new AppError(409)
  return complete(ctx, attempt, attempt.account, { termsAgree: undefined })
}
