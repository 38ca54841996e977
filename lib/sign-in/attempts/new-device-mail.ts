import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { sendMail } from '@/lib/messaging/sender/service'
import { deviceName } from '../device'
import { countLinksSince } from '../email-links/service'
import { addReportLink } from '../report-link'

/**
 * How many mails an account gets in an hour, so that nobody can flood a mailbox. Further sign-ins get a notification
 * only.
 */
const mailsAtMost = 10

type Account = { id: string; email: string | null; firstName: string; lang: string | null }

/**
 * Mails a person about a sign-in with a device that is new to the account, with a link for the report that it wasn't
 * them. Call it in the transaction that starts the session (docs/rules/sign-in.md#a-new-device).
 */
export async function mailAboutNewDevice(
  tx: Transaction,
  ctx: Ctx,
  account: Account,
  { sessionId, passkey }: { sessionId: string; passkey?: string | undefined },
) {
  if (!account.email) return
  const now = ctx.now()
  const since = new Date(now.getTime() - 3_600_000)
  if ((await countLinksSince(tx, 'device', account.id, since)) >= mailsAtMost) return
  const device = deviceName(ctx)
  const link = await addReportLink(tx, ctx, { userId: account.id, sessionId, email: account.email, passkey })
  await sendMail(tx, ctx, {
    template: 'newDevice',
    to: account.email,
    userId: account.id,
    locale: account.lang,
    values: { name: account.firstName, device, ip: ctx.ip, date: now, link },
  })
}
