'use client'

import { useTranslations } from 'next-intl'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { Menu, MenuContent, MenuRadioGroup, MenuRadioItem, MenuTrigger } from '../ui/menu'
import { useList } from './list'
import { listHref } from './list-link'
import { SortButton } from './sort-button'
import type { Sorting } from './table'

type Props = { address: ListAddress; query: Sorting; sorts: { by: string; label: string }[] }

/** The sorts of a list, each in both directions. */
export function SortChoice({ address, query, sorts }: Props) {
  const t = useTranslations('ui.list')
  const { go } = useList()
  const choose = (value: string) => {
    const [by = '', order] = value.split(' ')
    go(listHref(address, { sort: { by, order: order === 'desc' ? 'desc' : 'asc' } }))
  }
  return (
    <Menu modal={false} defaultOpen>
      <MenuTrigger asChild>
        <SortButton />
      </MenuTrigger>
      <MenuContent align="start">
        <MenuRadioGroup value={`${query.sortBy} ${query.sort}`} onValueChange={choose}>
          {sorts.flatMap(({ by, label }) =>
            (['asc', 'desc'] as const).map((order) => (
              <MenuRadioItem key={`${by} ${order}`} value={`${by} ${order}`}>
                {t('sortBy', { label, order })}
              </MenuRadioItem>
            )),
          )}
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  )
}
