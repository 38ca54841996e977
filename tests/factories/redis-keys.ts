import { redis } from '@/lib/base/redis/redis'

/** Returns the keys in Redis that never expire. */
export async function keysWithoutEnd(): Promise<string[]> {
  const names = await redis().keys('*')
  const lifetimes = await Promise.all(names.map((name) => redis().pttl(name)))
  return names.filter((_, n) => lifetimes[n] === -1)
}
