'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { buttonClasses } from '@/components/ui/button-classes'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

/** Shows this page in another theme. The next page has the browser's theme again. */
export function ThemeChoice({ current }: { current: 'light' | 'dark' | undefined }) {
  const t = useTranslations('gallery')
  const [theme, setTheme] = useState<Theme>(current ?? 'system')
  const choose = (next: Theme) => {
    setTheme(next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
  }
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">{t('theme')}</legend>
      {themes.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === theme}
          onClick={() => choose(option)}
          className={buttonClasses({ variant: option === theme ? 'secondary' : 'quiet', size: 'S' })}
        >
          {t(`themes.${option}`)}
        </button>
      ))}
    </fieldset>
  )
}
