import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { smsReady } from '@/lib/base/mail-and-sms/transports'
import { env } from '@/lib/base/runtime/env'
import { ownVersions, platformUpdate } from '../diagnostics/service'

/**
 * Returns the versions, addresses and channels of the installation. Needs license.read
 * (docs/rules/monitoring.md#about-the-system).
 */
export async function aboutSystem(ctx: Ctx) {
  requireMethod(ctx, 'license.read')
  const { PUBLIC_URL, PLATFORM_MODE, SMTP_URL, SMS_URL } = env()
  const { version, recommendVersion, older } = platformUpdate()
  return {
    version,
    recommended: older ? recommendVersion : null,
    address: new URL(PUBLIC_URL).host,
    mode: PLATFORM_MODE,
    mail: SMTP_URL !== undefined,
    sms: SMS_URL ? ('smsGateway' as const) : smsReady() ? ('smsOutbox' as const) : ('noSms' as const),
    parts: await ownVersions(),
  }
}
