import { redis } from '../redis/redis'
import { AppError } from '../runtime/errors'

const key = 'sms-gateway-down'

/** Seconds for which the gateway is paused after an SMS could not be sent: no SMS is offered then. */
const pauseSeconds = 30

/** Stores whether the gateway works. An error of Redis is ignored: without Redis nobody can request a code. */
export async function storeSmsGatewayState(works: boolean) {
  await (works ? redis().del(key) : redis().set(key, '1', 'EX', pauseSeconds)).catch(() => 0)
}

const smsUnavailable = (seconds: number) => new AppError(503, 'smsUnavailable', {}, Math.max(1, seconds))

/**
 * Throws 503 smsUnavailable while the gateway is paused, for every caller, so that the error reveals nothing about the
 * receiver. Call it before anything is counted. Throws without Redis.
 */
export async function requireSmsGateway() {
  const seconds = await redis().ttl(key)
  if (seconds > 0) throw smsUnavailable(seconds)
}

/** Returns the error for a caller whose own SMS just failed. */
export const smsFailed = () => smsUnavailable(pauseSeconds)

/** Returns whether the gateway is paused, because the last SMS could not be sent. Throws without Redis. */
export const isSmsGatewayPaused = async (): Promise<boolean> => (await redis().exists(key)) === 1
