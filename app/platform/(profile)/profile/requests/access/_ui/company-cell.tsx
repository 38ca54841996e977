import { useTranslations } from 'next-intl'
import type { AccessRequest } from '@/lib/companies/access-requests/contract'

/** The company of a request, with its INN and KPP. */
export function CompanyCell({ request }: { request: AccessRequest }) {
  const t = useTranslations('requisites')
  const { requestCompanyName: name, requestCompanyInn: inn, requestCompanyKpp: kpp } = request
  return (
    <span className="grid gap-0.5">
      <span className="wrap-anywhere">{name}</span>
      <span className="flex flex-wrap gap-x-3 font-normal text-ink-second text-note tabular-nums">
        <span>{t('shortInn', { inn })}</span>
        {kpp ? <span>{t('shortKpp', { kpp })}</span> : null}
      </span>
    </span>
  )
}
