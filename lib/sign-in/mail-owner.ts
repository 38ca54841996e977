import type { Ctx } from '@/lib/base/context/ctx'
import { sendMail } from '@/lib/messaging/sender/service'
import { deviceName } from './device'

type Owner = { id: string; email: string | null; firstName: string; lang: string | null }

/**
 * Mails the owner of an account that it has a new password, or that its password was removed because the e-mail was
 * proven. Call it in the transaction of the change.
 */
export async function mailOwner(
  tx: Parameters<typeof sendMail>[0],
  ctx: Ctx,
  account: Owner,
  template: 'passwordChanged' | 'passwordEnded' = 'passwordChanged',
) {
  if (!account.email) return
  const values = {
    name: account.firstName,
    date: ctx.now(),
    ip: ctx.ip,
    device: deviceName(ctx),
    link: `${ctx.domain.origin}/platform/forgot-password`,
  }
  const { email: to, id: userId, lang: locale } = account
  await sendMail(tx, ctx, { template, to, userId, locale, values })
}
