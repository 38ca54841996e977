import { dropCached } from '@/lib/base/cache/cache'
import { redis } from '@/lib/base/redis/redis'

/** Lets the next request for metrics read the database again, as it does ten seconds later. */
export async function dropSharedGauges() {
  dropCached('gauges')
  const keys = await redis().keys('gauge:*')
  if (keys.length > 0) await redis().del(keys)
}
