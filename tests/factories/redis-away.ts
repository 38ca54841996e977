import { Redis } from 'ioredis'

const shared = globalThis as typeof globalThis & { platformRedis?: Redis }

/** Disconnects this process from Redis as if nothing answered at its address. Returns a function that reconnects it. */
export function takeRedisAway(): () => void {
  const real = shared.platformRedis
  const away = new Redis({
    port: 1,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  away.on('error', () => {})
  shared.platformRedis = away
  return () => {
    shared.platformRedis = real
  }
}

/** Runs something without Redis. */
export async function withoutRedis<T>(work: () => Promise<T>): Promise<T> {
  const bringBack = takeRedisAway()
  try {
    return await work()
  } finally {
    bringBack()
  }
}
