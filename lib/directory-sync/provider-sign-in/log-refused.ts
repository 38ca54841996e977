import type { Ctx } from '@/lib/base/context/ctx'
import { Id } from '@/lib/base/contracts/contract'
import { AppError } from '@/lib/base/runtime/errors'
import { log } from '@/lib/base/runtime/log'
import { logProviderRefusal } from '@/lib/sign-in/log/record'
import { causeOf, ProviderRefused, type Refusal } from './refusal'

/** Codes of refusals that the steps of every sign-in throw. */
const refusalsOfSteps: Record<string, Refusal> = {
  accountBlocked: 'blocked',
  noFlows: 'noFlows',
  tooManyAttempts: 'tooMany',
  providerLinked: 'taken',
}

const refusalOf = (error: unknown): ProviderRefused => {
  if (error instanceof ProviderRefused) return error
  if (!(error instanceof AppError)) return new ProviderRefused('down', 'internal')
  const ofStep = refusalsOfSteps[error.code]
  return ofStep
    ? new ProviderRefused(ofStep)
    : new ProviderRefused(error.status === 409 ? 'answer' : 'down', error.code)
}

/** The details of a sign-in through a provider, for the log. */
export type SignInDetails = {
  providerId: string
  path: string | null
  userId: string | null
  /** Whether a signed-in person links an account. */
  linking: boolean
}

/** Logs why a sign-in through a provider or the linking of an account was refused. Returns the code of the refusal. */
export async function logRefusal(ctx: Ctx, error: unknown, details: SignInDetails): Promise<Refusal> {
  const { providerId, path, linking } = details
  const { refusal, reason, userId } = refusalOf(error)
  const isExpected = error instanceof ProviderRefused || error instanceof AppError
  log[isExpected ? 'info' : 'error'](
    { requestId: ctx.requestId, providerId, refusal, reason, ...(isExpected ? {} : { err: error }) },
    'a sign-in through a provider was refused',
  )
  const accountId = details.userId ?? userId ?? (linking ? (ctx.user?.id ?? null) : null)
  if (Id.safeParse(providerId).success)
    await logProviderRefusal(ctx, {
      providerId,
      userId: accountId,
      cause: causeOf[refusal],
      reason: reason || null,
      path,
    })
  return refusal
}
