'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { snackbar } from '../ui/snackbar'
import { chooseTheme, type Theme, useChooseLanguage, useChooseTimeZone, useTheme } from './choices'

type Option<V extends string = string> = { name: string; value: V }

/** An option of the theme. `serverTheme` is the theme that the server read. */
export function ThemeInput({ name, value, serverTheme }: Option<Theme> & { serverTheme: Theme }) {
  const theme = useTheme(serverTheme)
  return (
    <input
      type="radio"
      name={name}
      value={value}
      checked={value === theme}
      onChange={() => chooseTheme(value)}
      className="sr-only"
    />
  )
}

/** An option of the language. `chosen` is that of the page. */
export function LanguageInput({ name, value, chosen }: Option & { chosen: string }) {
  const choose = useChooseLanguage()
  return (
    <input
      type="radio"
      name={name}
      value={value}
      checked={value === chosen}
      onChange={() => choose(value)}
      className="sr-only"
    />
  )
}

type ZoneProps = {
  chosen: string | null
  /** The name of the option that uses the browser's zone. */
  ofBrowser: string
  className: string
}

/** The zone of times: that of the browser, or one of all zones, which are listed when first used. */
export function ZoneSelect({ chosen, ofBrowser, className }: ZoneProps) {
  const snackbarText = useTranslations('snackbar')
  const choose = useChooseTimeZone()
  const [value, setValue] = useState(chosen)
  const [zones, setZones] = useState<string[]>([])
  const list = () => setZones((loaded) => (loaded.length > 0 ? loaded : Intl.supportedValuesOf('timeZone')))
  useEffect(() => setValue(chosen), [chosen])
  const listed = value !== null && !zones.includes(value) ? [value, ...zones] : zones
  return (
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
      className={className}
    >
      <option value="">{ofBrowser}</option>
      {listed.map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </select>
  )
}
