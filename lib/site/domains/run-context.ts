import { z } from 'zod'
import type { Ctx } from '@/lib/base/context/ctx'
import { domainByHost } from './service'

/** The place of the call that started a batch job: domain, language and address. */
export const RunOrigin = z.object({ host: z.string(), locale: z.string(), ip: z.string(), requestId: z.string() })
export type RunOrigin = z.infer<typeof RunOrigin>

/** Returns the part of a context that a batch job stores at its start. */
export const runOrigin = ({ domain, locale, ip, requestId }: Ctx): RunOrigin => ({
  host: new URL(domain.origin).host,
  locale,
  ip,
  requestId,
})

/** Returns by whom, where and when a call starts a batch job. */
export const startedBy = (ctx: Ctx) => ({
  starter: ctx.user ? `${ctx.user.firstName} ${ctx.user.lastName}`.trim() || ctx.user.login : null,
  origin: runOrigin(ctx),
  now: ctx.now(),
})

/** Returns the origin of a scheduled batch job, which no call has started. */
export async function scheduledOrigin(): Promise<RunOrigin> {
  const domain = await domainByHost('')
  return { host: new URL(domain.origin).host, locale: domain.locales[0] ?? 'ru', ip: '', requestId: 'sync:schedule' }
}

/**
 * Returns the context of a batch job, in which nobody is signed in. Mails that it queues have a low priority (`bulk`).
 */
export async function runContext({ host, locale, ip, requestId }: RunOrigin): Promise<Ctx & { bulk: true }> {
  const domain = await domainByHost(host)
  return {
    bulk: true,
    requestId,
    ip,
    userAgent: '',
    domain,
    locale,
    timeZone: domain.timeZone,
    deviceType: '',
    session: null,
    user: null,
    service: null,
    cookies: { get: () => undefined, set: () => {} },
    now: () => new Date(),
  }
}
