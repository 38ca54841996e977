'use client'

import { Ellipsis } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { IconButton } from './icon-button'
import { Menu, MenuContent, MenuTrigger } from './menu'
import { useKeptFocus } from './use-kept-focus'

/** The menu at the end of a row; `row` is what the row is known by. Holds MenuItem and MenuLink. */
export function RowMenu({ row, children }: { row: string; children: ReactNode }) {
  const t = useTranslations('ui.list')
  const kept = useKeptFocus<HTMLButtonElement>()
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <IconButton ref={kept} quiet data-row-action="" label={t('rowActions', { row })}>
          <Ellipsis aria-hidden="true" className="size-4" />
        </IconButton>
      </MenuTrigger>
      <MenuContent align="end">{children}</MenuContent>
    </Menu>
  )
}
