import { redis } from '../redis/redis'
import { AppError } from '../runtime/errors'

const key = 'sms-gateway-down'

/** Seconds for which no SMS is offered after one could not be sent. */
const rest = 30

/** Stores whether the gateway works. An error of Redis is ignored: without Redis nobody can ask for a code. */
export async function noteSmsGateway(works: boolean) {
  await (works ? redis().del(key) : redis().set(key, '1', 'EX', rest)).catch(() => 0)
}

const smsUnavailable = (seconds: number) => new AppError(503, 'smsUnavailable', {}, Math.max(1, seconds))

/**
 * Throws 503 smsUnavailable while the gateway is known to be down, for every caller, so that it reveals nothing about
 * the receiver. Call it before anything is counted. Throws without Redis.
 */
export async function requireSmsGateway() {
  const seconds = await redis().ttl(key)
  if (seconds > 0) throw smsUnavailable(seconds)
}

/** Returns the error for a caller whose own SMS just failed. */
export const smsFailed = () => smsUnavailable(rest)

/** Returns whether no SMS is offered now, because the last one could not be sent. Throws without Redis. */
export const isSmsGatewayPaused = async (): Promise<boolean> => (await redis().exists(key)) === 1
