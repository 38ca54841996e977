import { z } from 'zod'
import type { Ctx } from '@/lib/base/context/ctx'
import { domainByHost } from './service'

/** Where the person was who started a run. */
export const RunOrigin = z.object({ host: z.string(), locale: z.string(), ip: z.string(), requestId: z.string() })
export type RunOrigin = z.infer<typeof RunOrigin>

/** Returns what a run stores of the context in which it was started. */
export const runOrigin = ({ domain, locale, ip, requestId }: Ctx): RunOrigin => ({
  host: new URL(domain.origin).host,
  locale,
  ip,
  requestId,
})

/** Where and by whom a run is started from a request. */
export const startedBy = (ctx: Ctx) => ({
  starter: ctx.user ? `${ctx.user.firstName} ${ctx.user.lastName}`.trim() || ctx.user.login : null,
  origin: runOrigin(ctx),
  now: ctx.now(),
})

/** Where a run begins that nobody's request has started. */
export async function scheduledOrigin(): Promise<RunOrigin> {
  const domain = await domainByHost('')
  return { host: new URL(domain.origin).host, locale: domain.locales[0] ?? 'ru', ip: '', requestId: 'sync:schedule' }
}

/** Returns the context of a run's job: nobody is signed in. Mails that it queues give way to those people wait for. */
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
