import { db } from '@/db/client'
import { decrypt } from '@/lib/base/crypto/encryption'
import type { TaskPayloads } from '@/lib/base/jobs/jobs'
import type { MessageCtx } from '@/lib/base/mail-and-sms/queue'
import { sendMail, sendSms } from '@/lib/messaging/sender/service'
import { domainByHost } from '@/lib/site/domains/service'
import { platformSettings } from '@/lib/site/settings/service'
import { countDaily, counterOf } from '../codes/daily-limit'
import { sentTo } from '../codes/subjects'
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
  const plain = decrypt('codes', code, attemptId)
  const { authCodeDailyLimit } = await platformSettings()
  await db().transaction(async (tx) => {
    if (knownDevice !== undefined && (await countDaily(tx, 'code', receiver, authCodeDailyLimit, now))) return
    if (flow === 'sms_code') return sendSms(tx, ctx, { ...message, template: 'signInCode', values: { code: plain } })
    const minutes = Math.max(1, Math.round((expiresAt.getTime() - now.getTime()) / 60_000))
    const values = { name: account.firstName, code: plain, minutes }
    return sendMail(tx, ctx, { ...message, template: 'signInCode', values })
  })
}
