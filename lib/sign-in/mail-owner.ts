import type { Ctx } from '@/lib/base/context/ctx'
import { sendMail } from '@/lib/messaging/sender/service'
import { deviceName } from './device'

export type Owner = { id: string; email: string | null; firstName: string; lang: string | null }

/** The mails about a change of what people sign in with, and the page to which each leads. */
const pages = {
  passwordChanged: 'forgot-password',
  passwordEnded: 'forgot-password',
  factorAdded: 'profile/personal',
  factorRemoved: 'profile/personal',
} as const

/**
 * Mails the owner of an account that what they sign in with has changed: a new password, a password that was removed
 * because the e-mail was proven, an authenticator app that was added or removed. Call it in the transaction of the
 * change.
 */
export async function mailOwner(
  tx: Parameters<typeof sendMail>[0],
  ctx: Ctx,
  account: Owner,
  template: keyof typeof pages = 'passwordChanged',
) {
  if (!account.email) return
  const values = {
    name: account.firstName,
    date: ctx.now(),
    ip: ctx.ip,
    device: deviceName(ctx),
    link: `${ctx.domain.origin}/platform/${pages[template]}`,
  }
  const { email: to, id: userId, lang: locale } = account
  await sendMail(tx, ctx, { template, to, userId, locale, values })
}
