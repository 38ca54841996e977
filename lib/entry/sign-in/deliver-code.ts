import { db } from '@/db/client'
import { countDaily, counterOf } from '@/lib/entry/codes/daily-limit'
import { sentTo } from '@/lib/entry/codes/subjects'
import { unseal } from '@/lib/kernel/crypto/secrets'
import type { TaskPayloads } from '@/lib/kernel/jobs'
import type { MessageCtx } from '@/lib/kernel/messages/queue'
import { domainByHost } from '@/lib/platform/domains/service'
import { sendMail, sendSms } from '@/lib/platform/sender/service'
import { platformSettings } from '@/lib/platform/settings/service'
import { recipientOf } from './code-step'
import { selectAccountById, selectAttemptUser } from './queries'

/**
 * The job behind a code: queues the message if the attempt has an account that can receive it and the code is still
 * valid. It ends silently if there is no receiver, or if the receiver has had the codes of the day, requested under any
 * name: the page has shown everybody the same.
 */
export async function deliverSignInCode(payload: TaskPayloads['signInCode']) {
  const { attemptId, flow, code, host, endTime, knownDevice } = payload
  const expiresAt = new Date(endTime)
  const now = new Date()
  const attempt = expiresAt > now ? await selectAttemptUser(attemptId) : null
  const account = attempt ? await selectAccountById(attempt.userId) : null
  const to = recipientOf(account, flow, attempt?.begun ?? false)
  if (!account || !to) return
  const { id: userId } = account
  const domain = await domainByHost(host)
  const ctx: MessageCtx = { domain, now: () => now }
  const receiver = sentTo(flow, to, knownDevice)
  // the previous version counted in the request, and its jobs have no knownDevice
  const counter = knownDevice === undefined ? payload.counter : counterOf('code', receiver, now)
  const message = { to, userId, expiresAt, counter }
  const plain = unseal('codes', code, attemptId)
  const { authCodeDailyLimit } = await platformSettings()
  await db().transaction(async (tx) => {
    if (knownDevice !== undefined && (await countDaily(tx, 'code', receiver, authCodeDailyLimit, now))) return
    if (flow === 'sms_code') return sendSms(tx, ctx, { ...message, template: 'signInCode', values: { code: plain } })
    const minutes = Math.max(1, Math.round((expiresAt.getTime() - now.getTime()) / 60_000))
    const values = { name: account.firstName, code: plain, minutes }
    return sendMail(tx, ctx, { ...message, template: 'signInCode', values })
  })
}
