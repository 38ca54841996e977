import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { redis } from '@/lib/base/redis/redis'
import { deleteFirstShare, firstShare } from '@/lib/openid/token-store/first-grant'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

test('thirty tabs that find an ended first grant agree on a new one', async () => {
  const random = caseNumbers(20)
  for (const _ of eachRound(20)) {
    const asking = { sessionUid: randomUUID(), clientId: 'one' }
    const ended = await firstShare(asking, 'ended')
    // as the provider does: an ended grant is forgotten, and consent is asked for again
    const shareOf = async (ownGrant: string) => {
      for (;;) {
        const share = await firstShare(asking, ownGrant)
        if (share.grantId !== ended.grantId) return share
        for (let late = random(10); late > 0; late--) await redis().ping()
        await deleteFirstShare(asking, share)
      }
    }
    const shares = await Promise.all(Array.from({ length: 30 }, (_, n) => shareOf(`grant-${n}`)))
    const again = await firstShare(asking, 'late')
    expect(new Set([...shares, again].map(({ grantId, sid }) => `${grantId} ${sid}`)).size).toBe(1)
  }
})
