'use client'

import { Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useLayoutEffect, useRef } from 'react'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../ui/menu'
import { useAskedBy } from '../ui/use-later'
import { addLook, type KnownLocale } from './known-locale'

type Props = { missing: readonly KnownLocale[]; onAdd: (localeId: string) => void }

/** The menu that adds a locale to a form. */
export function AddLocaleMenu({ missing, onAdd }: Props) {
  const t = useTranslations('ui.locales')
  const askedBy = useAskedBy()
  const added = useRef(false)
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    // it replaces the button that loaded it, which had the focus
    if (askedBy) button.current?.focus()
  }, [askedBy])
  return (
    <Menu modal={false} defaultOpen={askedBy !== null}>
      <MenuTrigger ref={button} aria-label={t('add')} title={t('add')} className={addLook}>
        <Plus aria-hidden="true" className="size-4" />
      </MenuTrigger>
      <MenuContent
        align="end"
        className="max-h-(--radix-dropdown-menu-content-available-height) overflow-y-auto"
        onCloseAutoFocus={(event) => {
          // the new locale's first field has the focus
          if (added.current) event.preventDefault()
          added.current = false
        }}
      >
        {missing.map(({ id, code, name }) => (
          <MenuItem
            key={id}
            onSelect={() => {
              added.current = true
              onAdd(id)
            }}
          >
            <span lang={code || undefined}>{name}</span>
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  )
}
