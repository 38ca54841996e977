'use client'

import { useTranslations } from 'next-intl'
import { call } from '@/lib/kernel/http/client'
import type { ListAddress } from '@/lib/kernel/list-address'
import { pageSizes } from '@/lib/kernel/lists'
import { patchUserSettings } from '@/lib/profile/user-settings/contract'
import { buttonClasses } from '../ui/button-classes'
import { cn } from '../ui/cn'
import { ChevronDown } from '../ui/icons'
import { Menu, MenuContent, MenuRadioGroup, MenuRadioItem, MenuTrigger } from '../ui/menu'
import { useList } from './list'
import { listHref } from './list-link'

/** How many rows a page takes. The choice is kept for all of the person's lists; a failure to keep it is only logged. */
export function PageSize({ address, perPage }: { address: ListAddress; perPage: number }) {
  const t = useTranslations('ui.list')
  const { go } = useList()
  const choose = (value: string) => {
    const size = pageSizes.find((possible) => String(possible) === value)
    if (!size || size === perPage) return
    go(listHref(address, { perPage: size }))
    call(patchUserSettings, { body: { settings: { pagination: size } } }).catch((error: unknown) =>
      console.warn('the page size was not kept', error),
    )
  }
  return (
    <Menu modal={false}>
      <MenuTrigger className={cn(buttonClasses({ variant: 'quiet', size: 'S' }), 'tabular-nums')}>
        {t('perPage', { count: perPage })}
        <ChevronDown className="size-4" />
      </MenuTrigger>
      <MenuContent align="end" className="min-w-24">
        <MenuRadioGroup value={String(perPage)} onValueChange={choose}>
          {pageSizes.map((size) => (
            <MenuRadioItem key={size} value={String(size)}>
              {size}
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  )
}
