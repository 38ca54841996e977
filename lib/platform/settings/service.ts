import type { Transaction } from '@/db/client'
import { cached } from '@/lib/kernel/cache'
import { log } from '@/lib/kernel/log'
import { definitions, relations, type SettingId, type Settings } from './definitions'
import { storedSettings } from './queries'

type Parsed<I extends SettingId> = { value: Settings[I] } | { code: string }

/** Holds a stored value against its definition: the value as code reads it, or the code of what is wrong. */
export function parseSetting<I extends SettingId>(id: I, raw: unknown): Parsed<I> {
  const result = definitions[id].schema.safeParse(raw)
  if (result.success) return { value: result.data as Settings[I] }
  const message = result.error.issues[0]?.message ?? ''
  return { code: /^error[A-Z]\w*$/.test(message) ? message : 'errorFormat' }
}

/** Without the members that only another version knows: whoever writes a setting may not add any, whoever reads bears them. */
function withoutUnknown(id: SettingId, raw: unknown): unknown {
  const issues = definitions[id].schema.safeParse(raw).error?.issues ?? []
  const known = structuredClone(raw)
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    let holder = known as Record<PropertyKey, unknown>
    for (const part of issue.path) holder = holder[part] as Record<PropertyKey, unknown>
    for (const key of issue.keys) delete holder[key]
  }
  return known
}

/**
 * All settings from what is stored. A value out of bounds, or one that contradicts another, gives way to the
 * default and is logged: a corrupt row must not stop people from signing in.
 */
export function settingsFrom(stored: Record<string, unknown>, userRoleId: string): Settings {
  const defaultOf = (id: SettingId) => {
    const parsed = parseSetting(id, id === 'defaultUserRole' ? userRoleId : definitions[id].default)
    if ('code' in parsed) throw new Error(`the default of ${id} breaks its own bounds: ${parsed.code}`)
    return parsed.value
  }
  const values: Record<string, unknown> = {}
  const fallBack = (id: SettingId, code: string) => {
    log.warn({ setting: id, fault: code }, 'a stored setting is not valid; the default holds')
    values[id] = defaultOf(id)
  }
  for (const id of Object.keys(definitions) as SettingId[]) {
    values[id] = defaultOf(id)
    if (!(id in stored)) continue
    const parsed = parseSetting(id, withoutUnknown(id, stored[id]))
    if ('code' in parsed) fallBack(id, parsed.code)
    else values[id] = parsed.value
  }
  const settings = values as Settings
  for (const { ids, code, holds } of relations) if (!holds(settings)) for (const id of ids) fallBack(id, code)
  return settings
}

/** Every setting with the defaults applied: durations in seconds, retentions in days. */
export const platformSettings = (): Promise<Settings> =>
  cached('settings', async () => {
    const { stored, userRoleId } = await storedSettings()
    return settingsFrom(stored, userRoleId)
  })

/** The same, as this transaction sees them: for rules that follow a change of settings. */
export async function settingsIn(tx: Transaction): Promise<Settings> {
  const { stored, userRoleId } = await storedSettings(tx)
  return settingsFrom(stored, userRoleId)
}
