'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { inputClasses } from '../form/input-classes'
import { cn } from '../ui/cn'
import { snackbar } from '../ui/snackbar'
import { chooseTheme, type Theme, themes, useChooseLanguage, useChooseTimeZone, useTheme } from './choices'

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
  /** The zone of times that the person has chosen; null for that of the browser. */
  timeZone: string | null
}

/** The zone of times: that of the browser, or one of all, which are listed with the first use. */
function ZoneChoice({ chosen }: { chosen: string | null }) {
  const t = useTranslations('shell')
  const snackbarText = useTranslations('snackbar')
  const choose = useChooseTimeZone()
  const [value, setValue] = useState(chosen)
  const [zones, setZones] = useState<string[]>([])
  const list = () => setZones((known) => (known.length > 0 ? known : Intl.supportedValuesOf('timeZone')))
  useEffect(() => setValue(chosen), [chosen])
  const shown = value !== null && !zones.includes(value) ? [value, ...zones] : zones
  return (
    <label className="grid gap-1.5">
      <span className="text-ink-second text-note">{t('timeZone')}</span>
      <select
        value={value ?? ''}
        onPointerDown={list}
        onFocus={list}
        onChange={({ target }) => {
          const zone = target.value || null
          setValue(zone)
          choose(zone).catch(() => {
            setValue(chosen)
            void snackbar.error(snackbarText('userSettingsError'))
          })
        }}
        className={cn(inputClasses, 'h-9 cursor-pointer text-table pointer-coarse:h-11')}
      >
        <option value="">{t('timeZoneOfBrowser')}</option>
        {shown.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
      <span className="text-ink-second text-note">{t('timeZoneHint')}</span>
    </label>
  )
}

/** The choice of theme, language and zone of times. */
export function Preferences({ theme: kept, languages, locale, timeZone }: PreferencesProps) {
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
      <ZoneChoice chosen={timeZone} />
    </div>
  )
}
