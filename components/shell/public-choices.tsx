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
  /** Then the language is also that of the account; else it becomes the account's with the next sign-in. */
  signedIn: boolean
}
type MenuName = 'theme' | 'language'

const fetchMenus = () => import('./choice-menus')

/** Theme and language on public pages. A change keeps the path, the query and what the person typed. */
export function PublicChoices(props: PublicChoicesProps) {
  const [menus, setMenus] = useState<{
    Menus: ComponentType<PublicChoicesProps & { opened: MenuName }>
    opened: MenuName
  }>()
  if (menus) return <menus.Menus {...props} opened={menus.opened} />
  const opens = (opened: MenuName) => ({
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
