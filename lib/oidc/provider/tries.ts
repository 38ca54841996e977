import type { IncomingMessage } from 'node:http'
import { errors } from 'oidc-provider'
import { AppError } from '@/lib/kernel/errors'
import { takePoints } from '@/lib/kernel/limits'

/** Too many tries, with the seconds to wait. Told here: an application can do nothing about it. */
export class TooManyTries extends errors.OIDCProviderError {
  override allow_redirect = false
  constructor(readonly retryAfter: number) {
    super(429, 'too_many_requests')
    this.expose = true
  }
}

/** As `takePoints`, in the provider's words. Throws TooManyTries. */
export const takeTries = (...limits: Parameters<typeof takePoints>) =>
  takePoints(...limits).catch((error) => {
    throw error instanceof AppError && error.status === 429 ? new TooManyTries(error.retryAfter ?? 60) : error
  })

/** The client's address, as the server process wrote it. */
export const addressOf = ({ headers }: IncomingMessage) => String(headers['x-platform-ip'] ?? '')

type Answering = { set(name: string, value: string): void }

/** Says with the answer how long to wait. */
export const sayWhen = (ctx: Answering, error: unknown) => {
  if (error instanceof TooManyTries) ctx.set('retry-after', String(Math.max(1, Math.ceil(error.retryAfter))))
}

/** Takes points for the request being answered, which says how long to wait when there are none. Throws TooManyTries. */
export const takeTriesOf = (ctx: Answering, ...limits: Parameters<typeof takePoints>) =>
  takeTries(...limits).catch((error) => {
    sayWhen(ctx, error)
    throw error
  })
