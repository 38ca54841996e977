import type { Setting, SettingModule } from '@/lib/operations/settings-screen/contract'
import type { Settings } from '@/lib/site/settings/definitions'
import { asDuration, inSeconds, type StoredDuration } from '@/lib/site/settings/duration'
import { brokenRelations } from '@/lib/site/settings/relations'
import { fromWire } from '@/lib/site/settings/wire'

export type Values = Readonly<Record<string, unknown>>
/** A fault by its code, and the values for its text. */
export type Fault = {
  code: string
  from?: StoredDuration | number
  to?: StoredDuration | number
  /** Further facts from the server. */
  params?: Record<string, string | number> | undefined
}
export type Rule = { pattern: string; title: Record<string, string> }
export type Recipients = { users: string[]; emails: string[] }

export const settingsOf = (modules: readonly SettingModule[]) => modules.flatMap(({ settings }) => settings)

/** Returns the values of settings by id, as they are stored. */
export const valuesOf = (modules: readonly SettingModule[]): Values =>
  Object.fromEntries(settingsOf(modules).map((setting) => [setting.id, fromWire(setting.type, setting)]))

/** Returns the default value of a setting. */
export const presetOf = (setting: Setting): unknown => fromWire(setting.type, setting.default)

/** Returns a bound as people read it: a number, or a duration. */
const shownBound = (setting: Setting, bound: number) => (setting.type === 'duration' ? asDuration(bound) : bound)

/** Returns the bounds of a number or a duration as people read them. */
export const shownBounds = (setting: Setting) =>
  setting.bounds && { from: shownBound(setting, setting.bounds.from), to: shownBound(setting, setting.bounds.to) }

const isDuration = (value: unknown): value is StoredDuration =>
  typeof value === 'object' && value !== null && 'unit' in value && 'value' in value

/** Returns the fault of a number or a duration. Other kinds are checked where they are saved. */
function faultOf(setting: Setting, value: unknown): Fault | null {
  const { type, bounds, id } = setting
  if (type === 'url') return typeof value === 'string' && !/^https:\/\/\S+$/.test(value) ? { code: 'errorUrl' } : null
  if (!bounds) return null
  if (value === null && id === 'passwordMax') return null
  const typed = isDuration(value) ? value.value : value
  if (typed === null || typed === '') return { code: 'errorEmpty' }
  if (typeof typed !== 'number' || !Number.isSafeInteger(typed)) return { code: 'errorFormat' }
  const number = isDuration(value) ? inSeconds(value) : typed
  const readableBounds = shownBounds(setting)
  return number < bounds.from || number > bounds.to ? { code: 'errorRange', ...readableBounds } : null
}

/** Returns the faults of changed settings by id: values out of bounds, and broken conditions between settings. */
export function faultsOf(settings: readonly Setting[], values: Values, changed: readonly string[]) {
  const faults: Record<string, Fault> = {}
  const read: Record<string, unknown> = {}
  for (const setting of settings) {
    const value = values[setting.id]
    read[setting.id] = isDuration(value) ? inSeconds(value) : value
    const fault = changed.includes(setting.id) ? faultOf(setting, value) : null
    if (fault) faults[setting.id] = fault
  }
  for (const { id, code } of brokenRelations(read as Settings, changed)) faults[id] ??= { code }
  return faults
}

/** Returns whether a value is allowed, but weaker than advised. */
export const isWeak = ({ bounds }: Setting, value: unknown) =>
  typeof value === 'number' && bounds?.advised !== null && bounds?.advised !== undefined && value < bounds.advised

/** Returns the smallest advised value, if there is such a number. */
export const adviceOf = ({ bounds }: Setting) => bounds?.advised ?? null
