import { useTranslations } from 'next-intl'
import { List, ListBody } from '@/components/list/list'
import { ListEmpty } from '@/components/list/list-empty'
import { ListFilters } from '@/components/list/list-filters'
import { isFiltered } from '@/components/list/list-link'
import { ListTools } from '@/components/list/list-tools'
import { Pager, type PagerMeta } from '@/components/list/pager'
import type { EntityName } from '@/lib/base/contracts/entity-names.generated'
import { wordsOf } from '@/lib/base/i18n/words'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type { Act, KnownChanger, KnownField, Names } from '@/lib/operations/history/contract'
import { Acts } from './acts'
import { fieldOptions } from './field-options'

type Props = {
  address: ListAddress
  acts: readonly Act[]
  names: Names
  /** The fields that the filter offers. */
  fields?: readonly KnownField[]
  /** The entity and id of the object, to filter by the person who made the change. */
  of?: { entity: EntityName; id: string }
  /** The people that the filter in the address names. */
  changers?: readonly KnownChanger[]
  meta: PagerMeta
}

const types = ['create', 'update', 'delete', 'login'] as const

/** The history of one object, by cursor. */
export function HistoryList({ address, acts, names, fields = [], of, changers = [], meta }: Props) {
  const t = useTranslations('history.view')
  const words = wordsOf(useTranslations())
  // without recorded fields there is nothing to choose from
  const filterable = acts.length > 0 || isFiltered(address)
  return (
    <List>
      {filterable ? (
        <ListTools>
          <ListFilters
            address={address}
            filters={[
              ...(of
                ? [
                    {
                      kind: 'remote' as const,
                      name: 'changer',
                      label: t('who'),
                      of: 'changers' as const,
                      given: of,
                      fixed: [{ value: 'platform', label: t('platform') }],
                      chosen: changers.map(({ id, name }) => ({ value: id, label: name })),
                    },
                  ]
                : []),
              {
                kind: 'choice',
                name: 'type',
                label: t('type'),
                options: types.map((value) => ({ value, label: t(`types.${value}`) })),
              },
              ...(fields.length > 1
                ? [
                    {
                      kind: 'choice' as const,
                      name: 'field',
                      label: t('field'),
                      options: fieldOptions(fields, words),
                    },
                  ]
                : []),
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
