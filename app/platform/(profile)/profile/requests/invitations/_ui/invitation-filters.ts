import type { useTranslations } from 'next-intl'
import type { ListFilter } from '@/components/list/filter'
import { invitationStatuses } from '@/lib/joining/sent-invitations/contract'

/** The filters by status and by the day of the invitation. */
export const invitationFilters = (t: ReturnType<typeof useTranslations<'invitations'>>): ListFilter[] => [
  {
    kind: 'many',
    name: 'status',
    label: t('status'),
    options: invitationStatuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
  },
  { kind: 'dates', name: 'date', label: t('period'), from: 'dateFrom', to: 'dateTo' },
]
