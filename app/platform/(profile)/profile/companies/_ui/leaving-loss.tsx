'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useRead } from '@/components/form/use-read'
import { Alert } from '@/components/ui/alert'
import { call } from '@/lib/base/http/client'
import { localName } from '@/lib/base/i18n/local-name'
import { previewLeaving } from '@/lib/companies/own-companies/contract'

/** Reads and shows what a person loses by leaving a company. */
export function LeavingLoss({ id }: { id: string }) {
  const t = useTranslations('companies')
  const locale = useLocale()
  const { read: loss } = useRead(() => call(previewLeaving, { params: { id } }), [id])
  if (loss === null) return <p role="status">{t('counting')}</p>
  if (loss === 'failed') return <Alert tone="warning">{t('countingFailed')}</Alert>
  const { services, manager, lastManager, invitations } = loss
  return (
    <div role="status" className="grid gap-2">
      {services.length > 0 ? (
        <p>{t('losesServices', { services: services.map((service) => localName(service, locale)).join(', ') })}</p>
      ) : (
        <p>{t('losesNoServices')}</p>
      )}
      {manager ? <p>{t('losesManaging', { invitations })}</p> : null}
      {lastManager ? <Alert tone="warning">{t('lastManager')}</Alert> : null}
    </div>
  )
}
