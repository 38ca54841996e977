'use client'

import { ArrowUpDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ListAddress } from '@/lib/kernel/list-address'
import { buttonClasses } from '../ui/button-classes'
import { cn } from '../ui/cn'
import { Menu, MenuContent, MenuRadioGroup, MenuRadioItem, MenuTrigger } from '../ui/menu'
import { useList } from './list'
import { listHref } from './list-link'
import type { Sorting } from './table'

type Props = { address: ListAddress; query: Sorting; sorts: { by: string; label: string }[] }

/** Sorts where a phone shows no heads of columns. */
export function SortMenu({ address, query, sorts }: Props) {
  const t = useTranslations('ui.list')
  const { go } = useList()
  const choose = (value: string) => {
    const [by = '', order] = value.split(' ')
    go(listHref(address, { sort: { by, order: order === 'desc' ? 'desc' : 'asc' } }))
  }
  return (
    <div className="sm:hidden">
      <Menu modal={false}>
        <MenuTrigger className={cn(buttonClasses({ variant: 'secondary', size: 'S' }))}>
          <ArrowUpDown aria-hidden="true" className="size-4" />
          {t('sort')}
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
    </div>
  )
}
