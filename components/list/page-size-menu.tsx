'use client'

import { call } from '@/lib/base/http/client'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { pageSizes } from '@/lib/base/lists/page-sizes'
import type { patchUserSettings } from '@/lib/my-account/settings/contract'
import { Menu, MenuContent, MenuRadioGroup, MenuRadioItem, MenuTrigger } from '../ui/menu'
import { useList } from './list'
import { listHref } from './list-link'
import { PageSizeButton } from './page-size-button'

/** The choice of a page size. It is stored for all lists of the person; a failure to store it is only logged. */
export function PageSizeMenu({ address, perPage }: { address: ListAddress; perPage: number }) {
  const { go } = useList()
  const choose = (value: string) => {
    const size = pageSizes.find((possible) => String(possible) === value)
    if (!size || size === perPage) return
    go(listHref(address, { perPage: size }))
    call<typeof patchUserSettings>(
      { method: 'PATCH', path: '/users/settings' },
      { body: { settings: { pagination: size } } },
    ).catch((error: unknown) => console.warn('the page size was not kept', error))
  }
  return (
    <Menu modal={false} defaultOpen>
      <MenuTrigger asChild>
        <PageSizeButton perPage={perPage} />
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
