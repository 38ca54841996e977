'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useRead } from '@/components/form/use-read'
import { Alert } from '@/components/ui/alert'
import { call } from '@/lib/base/http/client'
import { localName } from '@/lib/base/i18n/local-name'
import { previewRemoval } from '@/lib/companies/colleagues/contract'

/** Reads and shows what a contact loses by being removed from a company. */
export function RemovalLoss({ userId, contractorId }: { userId: string; contractorId: string }) {
  const t = useTranslations('contacts')
  const locale = useLocale()
  const { read: loss } = useRead(
    () => call(previewRemoval, { params: { userId, contractorId } }),
    [userId, contractorId],
  )
  if (loss === null) return <p role="status">{t('counting')}</p>
  if (loss === 'failed') return <Alert tone="warning">{t('countingFailed')}</Alert>
  const { roles, services, manager, invitations } = loss
  return (
    <div role="status" className="grid gap-2">
      <p>{t('removeText', { roles })}</p>
      {services.length > 0 ? (
        <p>{t('losesServices', { services: services.map((service) => localName(service, locale)).join(', ') })}</p>
      ) : null}
      {manager ? <p>{t('losesManaging', { invitations })}</p> : null}
      <p>{t('removeKeeps')}</p>
    </div>
  )
}
