'use client'

import { useFormatter, useTranslations } from 'next-intl'
import { wordsOf } from '@/lib/base/i18n/words'
import type { Setting, SettingModule } from '@/lib/operations/settings-screen/contract'
import { type DurationUnit, durationUnits, type StoredDuration } from '@/lib/site/settings/duration'
import { type Fault, type Recipients, type Rule, shownBounds, type Values } from './values'

/** Names of the objects that settings name by id. */
export type Names = ReadonlyMap<string, string>

/** Returns functions that convert settings to text. */
export function useWords(names: Names) {
  const t = useTranslations('settings')
  const faults = wordsOf(useTranslations('platform.settings.errors'))
  const tErrors = wordsOf(useTranslations('errors'))
  const notes = wordsOf(useTranslations('settings.notes'))
  const labels = wordsOf(useTranslations('settings.names'))
  const modules = wordsOf(useTranslations('settings.modules'))
  const format = useFormatter()
  const joined = (parts: readonly string[]) => parts.join(', ')

  const duration = ({ value, unit }: StoredDuration) => t(`durations.${unit}`, { count: Number(value) || 0 })
  /** In the grammatical case that follows “from” and “to”. */
  const bound = (each: StoredDuration | number) =>
    typeof each === 'number' ? format.number(each) : t(`durationsOf.${each.unit}`, { count: each.value })
  const namesText = (ids: readonly string[]) => joined(ids.map((id) => names.get(id) ?? id))

  const text = ({ type, id }: Pick<Setting, 'type' | 'id'>, value: unknown): string => {
    if (type === 'switch') return t(value ? 'on' : 'off')
    if (type === 'duration') return duration(value as StoredDuration)
    if (type === 'rules') {
      const count = (value as Rule[]).length
      return count > 0 ? t('rulesCount', { count }) : t('noRules')
    }
    if (type === 'networkAliases') return namesText(value as string[]) || t('noAliases')
    if (type === 'role') return namesText([value as string])
    if (type === 'recipients') {
      const { users, emails } = value as Recipients
      return joined([...users.map((each) => names.get(each) ?? each), ...emails]) || t('nobody')
    }
    if (value === null || value === '') return t(id === 'passwordMax' ? 'limitless' : 'none')
    return typeof value === 'number' ? format.number(value) : String(value)
  }
  const fault = ({ code, from, to, params }: Fault): string => {
    if (code === 'errorRange' && from !== undefined && to !== undefined)
      return t('range', { from: bound(from), to: bound(to) })
    return code !== 'errorRange' && faults.has(code)
      ? faults(code, params)
      : tErrors.has(code)
        ? tErrors(code, params)
        : tErrors('errorFields')
  }
  const note = (setting: Setting): string => {
    if (notes.has(setting.id)) return notes(setting.id)
    const bounds = shownBounds(setting)
    return bounds ? t('range', { from: bound(bounds.from), to: bound(bounds.to) }) : ''
  }

  /** A value after its name and a colon. */
  const afterColon = (setting: Setting, value: unknown): string => {
    if (setting.type === 'switch') return t(value ? 'digests.yes' : 'digests.no')
    const valueText = text(setting, value)
    const missing = [t('none'), t('noAliases'), t('nobody'), t('noRules')]
    return missing.includes(valueText) ? valueText.toLocaleLowerCase() : valueText
  }

  /** The summary of a closed module's settings. */
  const digest = ({ id, settings }: SettingModule, values: Values): string => {
    const of = (name: string) => {
      const setting = settings.find((each) => each.id === name)
      return setting ? text(setting, values[name]) : ''
    }
    if (id === 'password') {
      const rules = values.passwordCustomRules as Rule[]
      const [min, max] = [Number(values.passwordMin) || 0, values.passwordMax]
      const length =
        max === null ? t('digests.passwordLimitless', { min }) : t('digests.password', { min, max: String(max) })
      return joined([length, ...(rules.length > 0 ? [t('rulesCount', { count: rules.length })] : [])])
    }
    if (id === 'code')
      return t('digests.code', { digits: Number(values.authCodeDigits) || 0, alive: of('authCodeAlive') })
    if (id === 'identification') {
      const enabledKinds = (['Login', 'Email', 'Mobile'] as const).filter((kind) => values[`identification${kind}`])
      const words = enabledKinds.map((kind) =>
        t(`digests.identification.${kind.toLowerCase() as 'login' | 'email' | 'mobile'}`),
      )
      const valueText = joined(words)
      return valueText ? valueText.charAt(0).toLocaleUpperCase() + valueText.slice(1) : t('none')
    }
    if (id === 'authorization')
      return t('digests.authorization', { token: of('accessTokenLifespan'), session: of('sessionAlive') })
    if (id === 'logs')
      return t('digests.logs', { history: t('durations.days', { count: Number(values.historyRetention) || 0 }) })
    const switches = settings.filter(({ type }) => type === 'switch')
    if (switches.length > 2)
      return t('digests.switches', { on: switches.filter((each) => values[each.id]).length, all: switches.length })
    return settings
      .slice(0, 2)
      .map((each) => `${labels(each.id)}: ${afterColon(each, values[each.id])}`)
      .join(' · ')
  }

  return {
    label: (id: string) => labels(id),
    module: (id: string) => modules(id),
    units: (value: unknown) =>
      durationUnits.map((unit: DurationUnit) => ({ unit, text: t(`units.${unit}`, { count: Number(value) || 0 }) })),
    text,
    fault,
    note,
    digest,
    joined,
  }
}
export type Words = ReturnType<typeof useWords>
