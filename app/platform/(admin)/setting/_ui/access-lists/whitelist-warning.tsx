import { getFormatter, getTranslations } from 'next-intl/server'
import { Alert } from '@/components/ui/alert'
import { getZone } from '@/components/ui/get-zone'
import type { Ctx } from '@/lib/base/context/ctx'
import { whitelistState } from '@/lib/network/access-lists/check-address'

/** The warning above the whitelist: that it has no effect now, or that its dates will exclude everybody. */
export async function WhitelistWarning({ ctx }: { ctx: Ctx }) {
  const [t, format, zoneOf, { whitelistMode, ends }] = await Promise.all([
    getTranslations('access-lists'),
    getFormatter(),
    getZone(),
    whitelistState(ctx),
  ])
  if (!whitelistMode)
    return (
      <Alert tone="info" title={t('modeOffTitle')} className="mb-4">
        <p>{t('modeOffText')}</p>
      </Alert>
    )
  if (!ends) return null
  const hasEnded = ends <= ctx.now()
  const date = `${format.dateTime(ends, { dateStyle: 'long', timeStyle: 'short' })} (${zoneOf(ends)})`
  return (
    <Alert
      tone={hasEnded ? 'danger' : 'warning'}
      title={hasEnded ? t('emptyTitle') : t('endsTitle', { date })}
      className="mb-4"
    >
      <p>{t(hasEnded ? 'emptyNowText' : 'endsText')}</p>
    </Alert>
  )
}
