import type { IncomingMessage } from 'node:http'
import { errors } from 'oidc-provider'
import { takePoints } from '@/lib/base/limits/limits'
import { AppError } from '@/lib/base/runtime/errors'

/**
 * The error for too many requests, with the seconds to wait. Its page is shown here and not sent to the application,
 * which could do nothing about it.
 */
export class TooManyRequests extends errors.OIDCProviderError {
  override allow_redirect = false
  constructor(readonly retryAfter: number) {
    super(429, 'too_many_requests')
    this.expose = true
  }
}

/** Takes points like `takePoints`. Throws TooManyRequests in place of 429. */
export const takeRequestPoints = (...limits: Parameters<typeof takePoints>) =>
  takePoints(...limits).catch((error) => {
    throw error instanceof AppError && error.status === 429 ? new TooManyRequests(error.retryAfter ?? 60) : error
  })

/** Returns the address of the client, which the server process has set. */
export const addressOf = ({ headers }: IncomingMessage) => String(headers['x-platform-ip'] ?? '')

type HeaderTarget = { set(name: string, value: string): void }

/** Sets Retry-After if the error is TooManyRequests. */
export const setRetryAfter = (ctx: HeaderTarget, error: unknown) => {
  if (error instanceof TooManyRequests) ctx.set('retry-after', String(Math.max(1, Math.ceil(error.retryAfter))))
}

/** Takes points for the current request, and sets Retry-After when there are none. Throws TooManyRequests. */
export const takeRequestPointsOf = (ctx: HeaderTarget, ...limits: Parameters<typeof takePoints>) =>
  takeRequestPoints(...limits).catch((error) => {
    setRetryAfter(ctx, error)
    throw error
  })
