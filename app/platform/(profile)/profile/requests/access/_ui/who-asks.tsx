import { useTranslations } from 'next-intl'
import { AddressText } from '@/components/ui/address-text'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import type { IncomingRequest } from '@/lib/companies/access-requests/contract'
import { whoOf } from './who-of'

/** The person of a request and the company that they named. */
export function WhoAsks({ request }: { request: IncomingRequest }) {
  const t = useTranslations('access-requests')
  const { user, requestDate, requestCompanyName, requestCompanyInn, requestCompanyKpp, requestCompanyRoles } = request
  return (
    <section className="grid gap-2" aria-label={t('whoAsks')}>
      <h3 className="font-medium text-table">{t('whoAsks')}</h3>
      <KeyValues>
        <KeyValue label={t('name')}>{whoOf(request, t)}</KeyValue>
        <KeyValue label={t('email')}>{user.email ? <AddressText>{user.email}</AddressText> : null}</KeyValue>
        <KeyValue label={t('company')}>{requestCompanyName}</KeyValue>
        <KeyValue label={t('inn')}>
          <Mono>{requestCompanyInn}</Mono>
        </KeyValue>
        {requestCompanyKpp ? (
          <KeyValue label={t('kpp')}>
            <Mono>{requestCompanyKpp}</Mono>
          </KeyValue>
        ) : null}
        <KeyValue label={t('askedRoles')}>
          {requestCompanyRoles.length > 0 ? requestCompanyRoles.map(({ roleName }) => roleName).join(', ') : null}
        </KeyValue>
        <KeyValue label={t('sent')}>
          <DateTime value={requestDate} />
        </KeyValue>
      </KeyValues>
    </section>
  )
}
