import { useTranslations } from 'next-intl'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { ListExport } from '../export/list-export'
import type { ColumnsProps } from './columns-menu'
import type { ListFilter } from './filter'
import { ListColumns } from './list-columns'
import { ListFilters } from './list-filters'
import { isFiltered } from './list-link'
import { ListSearch } from './list-search'
import { ListTools } from './list-tools'
import { countText, type PagerMeta } from './pager'
import { SortMenu } from './sort-menu'
import type { Sorting } from './table'

type Props = {
  address: ListAddress
  query: Sorting
  meta: PagerMeta
  /** What the search covers; without it there is no search. */
  search?: string | undefined
  /** The sorts for a phone, whose cards have no column heads. */
  sorts: { by: string; label: string }[]
  filters?: readonly ListFilter[]
  /** The columns that the person may show or hide. */
  choice?: ColumnsProps
  /** The path of the call that exports the list. */
  exports?: string | undefined
}

/** The tools of most lists: search, sorting on a phone, filters, and the number of rows. */
export function ListToolbar({ address, query, meta, search, sorts, filters = [], choice, exports }: Props) {
  const t = useTranslations('ui.list')
  return (
    <ListTools count={countText(t, meta, isFiltered(address) ? 'found' : 'total')}>
      {search ? <ListSearch address={address} label={search} /> : null}
      <SortMenu address={address} query={query} sorts={sorts} />
      {filters.length > 0 ? <ListFilters address={address} filters={filters} /> : null}
      {choice ? <ListColumns {...choice} /> : null}
      {exports ? <ListExport address={address} path={exports} total={meta.total} more={meta.more} /> : null}
    </ListTools>
  )
}
