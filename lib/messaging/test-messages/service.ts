import { db } from '@/db/client'
import { callerId, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { keyedHash } from '@/lib/base/crypto/encryption'
import { type Limit, takePoints } from '@/lib/base/limits/limits'
import { sendMessageNow } from '@/lib/base/mail-and-sms/send-message'
import { env } from '@/lib/base/runtime/env'
import { fieldError } from '@/lib/base/runtime/errors'
import { mobileFrom } from '@/lib/base/text/mobile'
import { sendMail, sendSms } from '../sender/service'
import type * as calls from './contract'

const hour = 3_600

/** Ten tests an hour for each caller, so that tests can't flood a stranger's mailbox. */
const testLimit = (ctx: Ctx): Limit => ({
  name: 'test-message',
  key: keyedHash('identifiers', `test ${callerId(ctx)}`),
  tiers: [{ points: 10, duration: hour }],
})

/** Returns when a test message expires: a later delivery would say nothing about the present state. */
const expiring = (now: Date) => new Date(now.getTime() + hour * 1000)

async function deliver(id: string, now: Date, server: string | undefined) {
  const reason = await sendMessageNow(id, now)
  if (reason !== null) return { outcome: 'failed' as const, reason }
  return { outcome: server ? ('sent' as const) : ('kept' as const), reason: null }
}

/**
 * Sends a test mail at once. Returns the answer of the mail server. Needs settings.write. Throws 429 after ten tests in
 * an hour.
 */
export async function sendTestMail(ctx: Ctx, { body: { email } }: ServiceInput<typeof calls.sendTestMail>) {
  requireMethod(ctx, 'settings.write')
  await takePoints(testLimit(ctx))
  const now = ctx.now()
  const { firstName = '', lastName = '', login = '' } = ctx.user ?? {}
  const values = { name: '', person: `${firstName} ${lastName}`.trim() || login, date: now }
  const message = { to: email, userId: null, expiresAt: expiring(now), triedFirst: true }
  const id = await db().transaction((tx) => sendMail(tx, ctx, { ...message, template: 'test', values }))
  return deliver(id, now, env().SMTP_URL)
}

/**
 * Sends a test SMS at once. Returns the answer of the gateway. Needs settings.write. Throws 400 for an invalid number,
 * and 429 after ten tests in an hour.
 */
export async function sendTestSms(ctx: Ctx, { body }: ServiceInput<typeof calls.sendTestSms>) {
  requireMethod(ctx, 'settings.write')
  const mobile = mobileFrom(body.mobile)
  if (!mobile) throw fieldError('mobile', 'errorMobile')
  await takePoints(testLimit(ctx))
  const now = ctx.now()
  const message = { to: mobile, userId: null, expiresAt: expiring(now), triedFirst: true }
  const id = await db().transaction((tx) => sendSms(tx, ctx, { ...message, template: 'test', values: { date: now } }))
  return deliver(id, now, env().SMS_URL)
}
