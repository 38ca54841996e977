import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { pageAddress } from '@/lib/request/page'
import type { Theme } from '../shell/choices'
import { cn } from '../ui/cn'
import { Check, ChevronDown, Contrast } from '../ui/icons'
import { BackForm } from './public-form'

const themes: Theme[] = ['light', 'dark', 'system']

type Props = {
  languages: { code: string; name: string }[]
  locale: string
  theme: Theme
  className?: string
}

const summary =
  'flex min-h-9 shrink-0 cursor-pointer list-none items-center justify-center gap-1.5 rounded-control bg-paper text-ink-second text-table transition-colors hover:bg-sunken hover:text-ink pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden'

type ChoiceProps = { label: string; look: string; shown: ReactNode; children: ReactNode }

/** A choice that opens on a click, without script too. Each option is a button of the form `choose`. */
const Choice = ({ label, look, shown, children }: ChoiceProps) => (
  <details data-menu name="choices" className="group relative">
    <summary aria-label={label} title={label} className={cn(summary, look)}>
      {shown}
    </summary>
    <BackForm
      action="/platform/choices"
      form="choose"
      data-keeps-typed
      aria-label={label}
      className="absolute right-0 z-40 mt-1.5 grid min-w-44 rounded-card border border-line bg-surface p-1 text-left text-table shadow-float"
    >
      {children}
    </BackForm>
  </details>
)

type OptionProps = { name: 'theme' | 'locale'; value: string; chosen: boolean; lang?: string; children: ReactNode }

const Option = ({ name, value, chosen, lang, children }: OptionProps) => (
  <button
    type="submit"
    name={name}
    value={value}
    lang={lang}
    aria-pressed={chosen}
    className="group/option flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-control px-3 hover:bg-sunken aria-pressed:font-medium pointer-coarse:min-h-11"
  >
    {children}
    <Check className="invisible size-4 text-brand group-aria-pressed/option:visible" />
  </button>
)

/**
 * Theme and language in the header of a page that works without script. A page that answers a form has no address to
 * come back to: there only the script changes the theme.
 */
export async function PlainChoices({ languages, locale, theme, className }: Props) {
  const [t, shell, address] = await Promise.all([getTranslations('common'), getTranslations('shell'), pageAddress()])
  const language = languages.find(({ code }) => code === locale)?.name ?? locale
  return (
    <div
      className={cn('flex shrink-0 items-center gap-1', !address && '[html:not([data-script])_&]:hidden', className)}
    >
      <Choice label={shell('theme')} look="size-9 pointer-coarse:size-11" shown={<Contrast className="size-5" />}>
        {themes.map((value) => (
          <Option key={value} name="theme" value={value} chosen={value === theme}>
            {shell(`themes.${value}`)}
          </Option>
        ))}
      </Choice>
      {languages.length > 1 && address ? (
        <Choice
          label={t('chooseLanguage', { language })}
          look="-mr-2.5 px-2.5"
          shown={
            <>
              {language}
              <ChevronDown className="size-4" />
            </>
          }
        >
          {languages.map(({ code, name }) => (
            <Option key={code} name="locale" value={code} chosen={code === locale} lang={code}>
              {name}
            </Option>
          ))}
        </Choice>
      ) : null}
    </div>
  )
}
