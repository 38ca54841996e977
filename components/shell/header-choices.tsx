import { getTranslations } from 'next-intl/server'
import { cn } from '../ui/cn'
import type { Theme } from './choices'
import { PublicChoices } from './public-choices'

type Props = {
  languages: { code: string; name: string }[]
  locale: string
  theme: Theme
  signedIn: boolean
  className?: string
}

/** Theme and language in the header of a public page. */
export async function HeaderChoices({ languages, locale, theme, signedIn, className }: Props) {
  const [t, shell] = await Promise.all([getTranslations('common'), getTranslations('shell')])
  const language = languages.find(({ code }) => code === locale)?.name ?? locale
  return (
    <div className={cn('flex shrink-0 items-center gap-1', className)}>
      <PublicChoices
        languages={languages.map(({ code, name }) => ({ code, name }))}
        locale={locale}
        language={language}
        languageLabel={t('chooseLanguage', { language })}
        theme={theme}
        themeLabel={shell('theme')}
        themeNames={{ light: shell('themes.light'), dark: shell('themes.dark'), system: shell('themes.system') }}
        signedIn={signedIn}
      />
    </div>
  )
}
