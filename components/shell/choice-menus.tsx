'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { Menu, MenuContent, MenuRadioGroup, MenuRadioItem, MenuTrigger } from '../ui/menu'
import { keepChoice, keepForSignIn } from './browser-cookie'
import { chooseTheme, type Theme, themes, useChooseLanguage, useTheme } from './choices'
import { LanguageButton } from './language-button'
import type { PublicChoicesProps } from './public-choices'
import { ThemeButton } from './theme-button'

/** The menus of theme and language. One of them is open at first, because a click on its button loaded them. */
export function ChoiceMenus({ opened, ...props }: PublicChoicesProps & { opened: 'theme' | 'language' }) {
  const { languages, locale, language, languageLabel, theme: serverTheme, themeLabel, themeNames, signedIn } = props
  const router = useRouter()
  const [, startTransition] = useTransition()
  const theme = useTheme(serverTheme)
  const chooseOwn = useChooseLanguage()
  const chooseLanguage = (code: string) => {
    if (signedIn) return chooseOwn(code)
    keepChoice('locale', code)
    keepForSignIn('chosenLocale', code)
    startTransition(() => router.refresh())
  }
  return (
    <>
      <Menu defaultOpen={opened === 'theme'} modal={false}>
        <MenuTrigger asChild>
          <ThemeButton label={themeLabel} />
        </MenuTrigger>
        <MenuContent align="end">
          <MenuRadioGroup value={theme} onValueChange={(value) => chooseTheme(value as Theme)}>
            {themes.map((value) => (
              <MenuRadioItem key={value} value={value}>
                {themeNames[value]}
              </MenuRadioItem>
            ))}
          </MenuRadioGroup>
        </MenuContent>
      </Menu>
      {languages.length > 1 ? (
        <Menu defaultOpen={opened === 'language'} modal={false}>
          <MenuTrigger asChild>
            <LanguageButton name={language} aria-label={languageLabel} />
          </MenuTrigger>
          <MenuContent align="end">
            <MenuRadioGroup value={locale} onValueChange={chooseLanguage}>
              {languages.map(({ code, name }) => (
                <MenuRadioItem key={code} value={code} lang={code}>
                  {name}
                </MenuRadioItem>
              ))}
            </MenuRadioGroup>
          </MenuContent>
        </Menu>
      ) : null}
    </>
  )
}
