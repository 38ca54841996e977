import { useTranslations } from 'next-intl'
import { List, ListBody } from '@/components/list/list'
import { ListEmpty } from '@/components/list/list-empty'
import { ListFilters } from '@/components/list/list-filters'
import { isFiltered } from '@/components/list/list-link'
import { ListTools } from '@/components/list/list-tools'
import { Pager, type PagerMeta } from '@/components/list/pager'
import type { ListAddress } from '@/lib/kernel/list-address'
import type { Act, Names } from '@/lib/operations/history/contract'
import { Acts } from './acts'

type Props = { address: ListAddress; acts: readonly Act[]; names: Names; meta: PagerMeta }

const types = ['create', 'update', 'delete', 'login'] as const

/** The history of one object, by cursor. */
export function HistoryList({ address, acts, names, meta }: Props) {
  const t = useTranslations('history.view')
  // nothing to choose from where nothing was recorded
  const filterable = acts.length > 0 || isFiltered(address)
  return (
    <List>
      {filterable ? (
        <ListTools>
          <ListFilters
            address={address}
            filters={[
              {
                kind: 'choice',
                name: 'type',
                label: t('type'),
                options: types.map((value) => ({ value, label: t(`types.${value}`) })),
              },
              { kind: 'dates', name: 'date', label: t('date'), from: 'dateFrom', to: 'dateTo' },
            ]}
          />
        </ListTools>
      ) : null}
      <ListBody>
        {acts.length === 0 ? (
          <ListEmpty address={address} meta={meta} title={t('emptyTitle')} text={t('emptyText')} />
        ) : (
          <Acts acts={acts} names={names} />
        )}
      </ListBody>
      <Pager cursor address={address} meta={meta} steps={{ back: t('newer'), forward: t('older') }} />
    </List>
  )
}
