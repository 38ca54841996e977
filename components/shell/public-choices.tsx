'use client'

import { type ComponentType, useState } from 'react'
import type { Theme } from './choices'
import { LanguageButton } from './language-button'
import { ThemeButton } from './theme-button'

export type PublicChoicesProps = {
  languages: { code: string; name: string }[]
  locale: string
  /** The current language, and the label of its button. */
  language: string
  languageLabel: string
  /** The value that the server read from the cookie. */
  theme: Theme
  themeLabel: string
  themeNames: Record<Theme, string>
  /** Then the language is that of the account too; else it becomes that with the next sign-in. */
  signedIn: boolean
}
type Opened = 'theme' | 'language'

const fetchMenus = () => import('./choice-menus')

/** Theme and language on public pages. A change keeps the path, the query and what the person typed. */
export function PublicChoices(props: PublicChoicesProps) {
  const [menus, setMenus] = useState<{
    Menus: ComponentType<PublicChoicesProps & { opened: Opened }>
    opened: Opened
  }>()
  if (menus) return <menus.Menus {...props} opened={menus.opened} />
  const opens = (opened: Opened) => ({
    'aria-haspopup': 'menu' as const,
    'aria-expanded': false,
    onPointerEnter: fetchMenus,
    onFocus: fetchMenus,
    onClick: async () => {
      const { ChoiceMenus } = await fetchMenus()
      setMenus({ Menus: ChoiceMenus, opened })
    },
  })
  return (
    <>
      <ThemeButton label={props.themeLabel} {...opens('theme')} />
      {props.languages.length > 1 ? (
        <LanguageButton name={props.language} aria-label={props.languageLabel} {...opens('language')} />
      ) : null}
    </>
  )
}
