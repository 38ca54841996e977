import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { deviceName } from './device'
import { emailHashOf } from './email-hash'
import { addLink } from './email-links/service'

/** Seconds for which the link works. */
const reportAlive = 7 * 86_400

type Reported = { userId: string; sessionId: string; email: string; passkey?: string | undefined }

/**
 * Returns the address of a page where a person reports that what was done in this session wasn't them
 * (docs/rules/sign-in.md#a-new-device). `email` is where it is mailed, `passkey` the one that began the session.
 */
export async function addReportLink(
  tx: Transaction,
  ctx: Ctx,
  { userId, sessionId, email, passkey }: Reported,
): Promise<string> {
  const data = {
    sessionId,
    emailHash: emailHashOf(email),
    ...(passkey && { passkey }),
    device: deviceName(ctx),
    ip: ctx.ip,
    date: ctx.now().toISOString(),
  }
  const id = await addLink(tx, ctx, 'device', { userId, data }, reportAlive)
  return `${ctx.domain.origin}/platform/login/device/${id}`
}
