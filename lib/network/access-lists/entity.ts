import { choice, date, defineEntity, number, reference, text, yesNo } from '@/lib/base/audit/entity'
import { accessLists } from './contract'

/** An entry of the whitelist or the blacklist. */
export const accessListEntity = defineEntity('access-lists', {
  list: choice('access-lists.list', accessLists, 'access-lists.lists'),
  enabled: yesNo('history.access-lists.enabled'),
  ip: text('access-lists.ip'),
  alias: reference('access-lists.alias', 'networkAliases'),
  dateFrom: date('access-lists.dateFrom'),
  dateTo: date('access-lists.dateTo'),
  comment: text('access-lists.comment'),
})

/** Its id is the refused address, or `others` for addresses without a row of their own. */
export const refusalEntity = defineEntity(
  'address-refusals',
  { requests: number('history.address-refusals.requests') },
  { area: 'access-lists' },
)
