import { defineEntity, number, yesNo } from '@/lib/kernel/record/entity'

/** An entry of the whitelist or the blacklist. */
export const accessListEntity = defineEntity('access-lists', { enabled: yesNo('history.access-lists.enabled') })

/** Its id is the refused address, or `others` for addresses without a row of their own. */
export const refusalEntity = defineEntity(
  'address-refusals',
  { requests: number('history.address-refusals.requests') },
  { area: 'access-lists' },
)
