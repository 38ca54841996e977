import type { IncomingMessage } from 'node:http'
import { errors } from 'oidc-provider'
import { whoseAddress } from '@/lib/kernel/client-ip'
import { keyedHash } from '@/lib/kernel/crypto/secrets'
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

export const addressOf = ({ headers }: IncomingMessage) => String(headers['x-platform-ip'] ?? '')

/** What a request's address is counted under. */
export const addressKey = (req: IncomingMessage) => keyedHash('identifiers', `address ${whoseAddress(addressOf(req))}`)

/** Says with the answer how long to wait. */
export const sayWhen = (ctx: { set(name: string, value: string): void }, error: unknown) => {
  if (error instanceof TooManyTries) ctx.set('retry-after', String(Math.ceil(error.retryAfter)))
}
