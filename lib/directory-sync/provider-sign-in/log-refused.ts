import type { Ctx } from '@/lib/base/context/ctx'
import { Id } from '@/lib/base/contracts/contract'
import { AppError } from '@/lib/base/runtime/errors'
import { log } from '@/lib/base/runtime/log'
import { logProviderRefusal } from '@/lib/sign-in/log/record'
import { causeOf, ProviderRefused, type Refusal } from './refusal'

/** Codes of refusals that the steps of every sign-in throw. */
const ofSteps: Record<string, Refusal> = {
  accountBlocked: 'blocked',
  noFlows: 'noFlows',
  tooManyAttempts: 'tooMany',
  providerLinked: 'taken',
}

const refusalOf = (error: unknown): ProviderRefused => {
  if (error instanceof ProviderRefused) return error
  if (!(error instanceof AppError)) return new ProviderRefused('down', 'internal')
  const ofStep = ofSteps[error.code]
  return ofStep
    ? new ProviderRefused(ofStep)
    : new ProviderRefused(error.status === 409 ? 'answer' : 'down', error.code)
}

/** What a refused sign-in was about. */
export type About = {
  providerId: string
  path: string | null
  userId: string | null
  /** Whether somebody who is signed in links an account. */
  linking: boolean
}

/** Logs why a sign-in through a provider ended, or the linking of an account. Returns the code of the refusal. */
export async function logRefused(ctx: Ctx, error: unknown, about: About): Promise<Refusal> {
  const { providerId, path, linking } = about
  const { refusal, reason, userId } = refusalOf(error)
  const known = error instanceof ProviderRefused || error instanceof AppError
  log[known ? 'info' : 'error'](
    { requestId: ctx.requestId, providerId, refusal, reason, ...(known ? {} : { err: error }) },
    'a sign-in through a provider was refused',
  )
  const who = about.userId ?? userId ?? (linking ? (ctx.user?.id ?? null) : null)
  if (Id.safeParse(providerId).success)
    await logProviderRefusal(ctx, { providerId, userId: who, cause: causeOf[refusal], reason: reason || null, path })
  return refusal
}
