import { db } from '@/db/client'
import { decrypt } from '@/lib/base/crypto/encryption'
import type { TaskPayloads } from '@/lib/base/jobs/jobs'
import type { MessageCtx } from '@/lib/base/mail-and-sms/queue'
import { sendMail, sendSms } from '@/lib/messaging/sender/service'
import { domainByHost } from '@/lib/site/domains/service'
import { platformSettings } from '@/lib/site/settings/service'
import { countDaily, counterOf } from '../codes/daily-limit'
import { receiverSubject } from '../codes/subjects'
import { recipientOf } from '../factors/sent-code/code'
import { selectAccountById, selectAttemptUser } from './queries'

/**
 * Handles the job of a sign-in code. Queues the message if the attempt has an account that can receive it and the code
 * is still valid. It ends without an error if there is no receiver, or if the receiver has had its codes of the day, by
 * whichever identifier they were requested: the page has shown the same in all cases.
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
  const receiver = receiverSubject(flow, to, knownDevice)
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
