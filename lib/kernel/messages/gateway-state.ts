import { AppError } from '../errors'
import { redis } from '../redis'

const key = 'sms-gateway-down'

/** So many seconds nobody is promised an SMS after one couldn't leave. */
const rest = 30

/** Notes how sending went; without Redis there are no codes to be asked for anyway. */
export async function noteSmsGateway(works: boolean) {
  await (works ? redis().del(key) : redis().set(key, '1', 'EX', rest)).catch(() => 0)
}

const smsUnavailable = (seconds: number) => new AppError(503, 'smsUnavailable', {}, Math.max(1, seconds))

/**
 * Throws 503 smsUnavailable while the gateway is known to be away, whoever asks: it tells nothing of the receiver.
 * To be asked before anything is counted. Throws without Redis.
 */
export async function requireSmsGateway() {
  const seconds = await redis().ttl(key)
  if (seconds > 0) throw smsUnavailable(seconds)
}

/** The answer to whoever's own SMS just failed. */
export const smsFailed = () => smsUnavailable(rest)
