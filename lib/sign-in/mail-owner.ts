import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { sendMail } from '@/lib/messaging/sender/service'
import { deviceName } from './device'
import { addReportLink } from './report-link'

export type Owner = { id: string; email: string | null; firstName: string; lang: string | null }

/** The page to which each mail about a change of what people sign in with leads. */
const pages = {
  passwordChanged: 'forgot-password',
  passwordEnded: 'forgot-password',
  factorAdded: 'profile/personal',
  factorRemoved: 'profile/personal',
  factorReset: 'profile/personal',
  passkeyAdded: 'profile/personal',
  passkeyRemoved: 'profile/personal',
  recoveryCodesRenewed: 'profile/personal',
  recoveryCodeUsed: 'profile/personal',
} as const

/**
 * Mails the owner of an account that what they sign in with has changed: the password, the authenticator app, the
 * recovery codes or a passkey. With `sessionId` the mail leads to a page where the owner reports that session. Call it in the
 * transaction of the change.
 */
export async function mailOwner(
  tx: Transaction,
  ctx: Ctx,
  account: Owner,
  template: keyof typeof pages = 'passwordChanged',
  sessionId?: string,
) {
  const { id: userId, email: to, firstName: name, lang: locale } = account
  if (!to) return
  const page = `${ctx.domain.origin}/platform/${pages[template]}`
  const link = sessionId ? await addReportLink(tx, ctx, { userId, sessionId, email: to }) : page
  const receiver = { to, userId, locale }
  // an administrator resets factors: where they sit is nothing for the owner
  if (template === 'factorReset')
    await sendMail(tx, ctx, { template, ...receiver, values: { name, date: ctx.now(), link } })
  else
    await sendMail(tx, ctx, {
      template,
      ...receiver,
      values: { name, date: ctx.now(), ip: ctx.ip, device: deviceName(ctx), link },
    })
}
