'use client'

import { Menu, MenuContent, MenuRadioGroup, MenuRadioItem, MenuTrigger } from '../ui/menu'
import { LanguageButton } from './language-button'

export type LanguageMenuProps = {
  languages: { code: string; name: string }[]
  current: string
  name: string
  label: string
  onChoose: (code: string) => void
}

/** The menu of the language switch, open from the start: it is fetched because somebody asked for it. */
export function LanguageMenu({ languages, current, name, label, onChoose }: LanguageMenuProps) {
  return (
    <Menu defaultOpen modal={false}>
      <MenuTrigger asChild>
        <LanguageButton name={name} aria-label={label} />
      </MenuTrigger>
      <MenuContent align="end">
        <MenuRadioGroup value={current} onValueChange={onChoose}>
          {languages.map(({ code, name: language }) => (
            <MenuRadioItem key={code} value={code} lang={code}>
              {language}
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  )
}
