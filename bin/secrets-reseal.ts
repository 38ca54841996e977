import { closeDatabase } from '@/db/client'
import { closeCache } from '@/lib/base/cache/cache'
import { closeRedis } from '@/lib/base/redis/redis'
import { env } from '@/lib/base/runtime/env'
import { resealAll, verdictOf } from './secrets/reseal'
import { checkServices, failStart } from './server/start-checks'

async function main() {
  await checkServices(env())
  try {
    const { done, keys } = await resealAll()
    for (const { what, many } of done) if (many > 0) console.log(`sealed anew: ${what} (${many})`)
    for (const key of keys) console.log(verdictOf(key))
  } finally {
    await closeCache()
    await Promise.all([closeDatabase(), closeRedis()])
  }
}

main().catch(failStart)
