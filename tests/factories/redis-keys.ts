import { redis } from '@/lib/kernel/redis'

/** Names of what stands in Redis without a time at which it goes. */
export async function keysWithoutEnd(): Promise<string[]> {
  const names = await redis().keys('*')
  const left = await Promise.all(names.map((name) => redis().pttl(name)))
  return names.filter((_, n) => left[n] === -1)
}
