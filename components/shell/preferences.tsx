'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useId } from 'react'
import { chooseTheme, type Theme, themes, useChooseLanguage, useTheme } from './choices'

type Choice<V extends string> = { value: V; label: string; icon?: ReactNode; lang?: string }

/** A choice of one of a few options, side by side. */
function Segments<V extends string>({
  legend,
  choices,
  chosen,
  onChoose,
}: {
  legend: string
  choices: Choice<V>[]
  chosen: V
  onChoose: (value: V) => void
}) {
  const name = useId()
  return (
    <fieldset className="@container grid gap-1.5">
      <legend className="mb-1.5 text-ink-second text-note">{legend}</legend>
      <div className="flex gap-1 rounded-control bg-sunken p-1 @max-[19rem]:flex-col">
        {choices.map(({ value, label, icon, lang }) => (
          <label
            key={value}
            lang={lang}
            className="flex min-h-9 grow cursor-pointer items-center justify-center gap-1.5 whitespace-nowrap rounded-pill border border-transparent px-2 text-note text-ink-second transition-colors hover:text-ink has-checked:border-line-chosen has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-brand pointer-coarse:min-h-11"
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === chosen}
              onChange={() => onChoose(value)}
              className="sr-only"
            />
            {icon}
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const icons = { light: Sun, dark: Moon, system: Monitor }

export type PreferencesProps = {
  /** The value that the server read from the cookie. */
  theme: Theme
  languages: { code: string; name: string }[]
  locale: string
}

/** The choice of theme and language. */
export function Preferences({ theme: kept, languages, locale }: PreferencesProps) {
  const t = useTranslations('shell')
  const theme = useTheme(kept)
  const chooseLanguage = useChooseLanguage()
  return (
    <div className="grid gap-4">
      <Segments
        legend={t('theme')}
        chosen={theme}
        onChoose={chooseTheme}
        choices={themes.map((value) => {
          const Icon = icons[value]
          return {
            value,
            label: t(`themes.${value}`),
            icon: <Icon aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0" />,
          }
        })}
      />
      {languages.length > 1 ? (
        <Segments
          legend={t('language')}
          chosen={locale}
          onChoose={chooseLanguage}
          choices={languages.map(({ code, name }) => ({ value: code, label: name, lang: code }))}
        />
      ) : null}
    </div>
  )
}
