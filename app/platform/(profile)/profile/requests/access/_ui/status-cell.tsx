import { useTranslations } from 'next-intl'
import { Pill } from '@/components/ui/pill'
import type { AccessRequest, RequestStatus } from '@/lib/companies/access-requests/contract'

/** The look of a request's status. */
const tones = {
  considered: 'warning',
  approved: 'ok',
  failure: 'danger',
  duplicate: 'neutral',
  remove: 'neutral',
} as const satisfies Record<RequestStatus, string>

/** The status of a request, with the reason of a refusal and the contractor to which it gave access. */
export function StatusCell({ request }: { request: AccessRequest }) {
  const t = useTranslations('access-requests')
  const { status, reason, responseCompanyName, requestCompanyName } = request
  return (
    <span className="grid justify-items-start gap-1">
      <Pill tone={tones[status]}>{t(`record.statuses.${status}`)}</Pill>
      {reason ? <span className="wrap-anywhere text-ink-second text-note">{reason}</span> : null}
      {responseCompanyName && responseCompanyName !== requestCompanyName ? (
        <span className="wrap-anywhere text-ink-second text-note">{t('linkedTo', { name: responseCompanyName })}</span>
      ) : null}
    </span>
  )
}
