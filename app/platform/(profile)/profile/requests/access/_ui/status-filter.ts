import type { useTranslations } from 'next-intl'
import type { ListFilter } from '@/components/list/filter'
import { requestStatuses } from '@/lib/companies/access-requests/contract'

/** The filter of requests by status. */
export const statusFilter = (t: ReturnType<typeof useTranslations<'access-requests'>>): ListFilter => ({
  kind: 'many',
  name: 'status',
  label: t('status'),
  options: requestStatuses.map((value) => ({ value, label: t(`record.statuses.${value}`) })),
})
