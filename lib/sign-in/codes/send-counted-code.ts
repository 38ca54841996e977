import { db } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { giveBack } from '@/lib/base/mail-and-sms/attempt'
import { AppError } from '@/lib/base/runtime/errors'
import { platformSettings } from '@/lib/site/settings/service'
import { countDaily, counterOf } from './daily-limit'

/**
 * Sends a code that counts for its sender, an account or a link. `send` calls `count` if it is the request that sends,
 * so parallel requests count once. A message that couldn't be sent isn't counted; a request above a receiver's limit is
 * counted. Throws what `send` throws, and 429 codeDailyLimit above the sender's daily number
 * (docs/rules/codes.md#limits).
 */
export async function sendCountedCode<T>(
  ctx: Ctx,
  kind: string,
  sender: string,
  send: (count: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { authCodeDailyLimit } = await platformSettings()
  const now = ctx.now()
  let counted = false
  const count = async () => {
    const limitError = await db().transaction((tx) => countDaily(tx, kind, sender, authCodeDailyLimit, now))
    if (limitError) throw limitError
    counted = true
  }
  try {
    return await send(count)
  } catch (error) {
    if (counted && !(error instanceof AppError && error.status === 429))
      await db().transaction((tx) => giveBack(tx, counterOf(kind, sender, now)))
    throw error
  }
}
