import { Monitor, Moon, Sun } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useId } from 'react'
import { inputClasses } from '../form/input-classes'
import { cn } from '../ui/cn'
import type { Theme } from './choices'
import { LanguageInput, ThemeInput, ZoneSelect } from './preference-inputs'

/** An option beside others, of which one is chosen. */
function Segment({ lang, children }: { lang?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: its radio button is one of the children
    <label
      lang={lang}
      className="flex min-h-9 grow cursor-pointer items-center justify-center gap-1.5 whitespace-nowrap rounded-pill border border-transparent px-2 text-note text-ink-second transition-colors hover:text-ink has-checked:border-line-chosen has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-brand pointer-coarse:min-h-11"
    >
      {children}
    </label>
  )
}

/** A choice of one of a few options, side by side. */
function Segments({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="@container grid gap-1.5">
      <legend className="mb-1.5 text-ink-second text-note">{legend}</legend>
      <div className="flex gap-1 rounded-control bg-sunken p-1 @max-[19rem]:flex-col">{children}</div>
    </fieldset>
  )
}

const themes = [
  { value: 'light', Icon: Sun },
  { value: 'dark', Icon: Moon },
  { value: 'system', Icon: Monitor },
] as const

export type PreferencesProps = {
  /** The value that the server read from the cookie. */
  theme: Theme
  languages: { code: string; name: string }[]
  locale: string
  /** The zone of times that the person has chosen; null for that of the browser. */
  timeZone: string | null
}

/**
 * The choice of theme, language and zone of times. The server renders it, because every page has it; only the controls
 * are client components.
 */
export function Preferences({ theme, languages, locale, timeZone }: PreferencesProps) {
  const t = useTranslations('shell')
  const id = useId()
  return (
    <div className="grid gap-4">
      <Segments legend={t('theme')}>
        {themes.map(({ value, Icon }) => (
          <Segment key={value}>
            <ThemeInput name={`${id}theme`} value={value} serverTheme={theme} />
            <Icon aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0" />
            {t(`themes.${value}`)}
          </Segment>
        ))}
      </Segments>
      {languages.length > 1 ? (
        <Segments legend={t('language')}>
          {languages.map(({ code, name }) => (
            <Segment key={code} lang={code}>
              <LanguageInput name={`${id}language`} value={code} chosen={locale} />
              {name}
            </Segment>
          ))}
        </Segments>
      ) : null}
      {/* biome-ignore lint/a11y/noLabelWithoutControl: ZoneSelect is its control */}
      <label className="grid gap-1.5">
        <span className="text-ink-second text-note">{t('timeZone')}</span>
        <ZoneSelect
          chosen={timeZone}
          ofBrowser={t('timeZoneOfBrowser')}
          className={cn(inputClasses, 'h-9 cursor-pointer text-table pointer-coarse:h-11')}
        />
        <span className="text-ink-second text-note">{t('timeZoneHint')}</span>
      </label>
    </div>
  )
}
