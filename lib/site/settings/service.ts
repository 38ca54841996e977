import type { Transaction } from '@/db/client'
import { cached } from '@/lib/base/cache/cache'
import { log } from '@/lib/base/runtime/log'
import { definitions, type SettingId, type Settings } from './definitions'
import { givenSettings } from './given'
import { parseSetting } from './parse'
import { selectStoredSettings } from './queries'
import { relations } from './relations'

/**
 * Returns a stored value without unknown members: another version may have stored them. A save refuses them.
 */
function withoutUnknown(id: SettingId, raw: unknown): unknown {
  const issues = definitions[id].schema.safeParse(raw).error?.issues ?? []
  const copy = structuredClone(raw)
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    let holder = copy as Record<PropertyKey, unknown>
    for (const part of issue.path) holder = holder[part] as Record<PropertyKey, unknown>
    for (const key of issue.keys) delete holder[key]
  }
  return copy
}

/** Returns the valid password rules: a corrupt rule doesn't remove the others. */
function validRules(raw: unknown): unknown {
  if (!Array.isArray(raw)) return raw
  const valid = raw.filter((rule) => 'value' in parseSetting('passwordCustomRules', [rule]))
  if (valid.length < raw.length) log.warn({ setting: 'passwordCustomRules' }, 'a stored rule is not valid and left out')
  return valid
}

/**
 * Returns all settings from the stored values. A value that is out of bounds or contradicts another is replaced by the
 * default and logged: a corrupt row must not stop people from signing in. Settings of the environment win over stored
 * ones.
 */
export function settingsFrom(
  stored: Record<string, unknown>,
  userRoleId: string,
  fromEnvironment: Record<string, unknown> = {},
): Settings {
  const defaultOf = (id: SettingId) => {
    const parsed = parseSetting(id, id === 'defaultUserRole' ? userRoleId : definitions[id].default)
    if ('code' in parsed) throw new Error(`the default of ${id} breaks its own bounds: ${parsed.code}`)
    return parsed.value
  }
  const values: Record<string, unknown> = {}
  const fallBack = (id: SettingId, code: string) => {
    log.warn({ setting: id, fault: code }, 'a stored setting is not valid; the default applies')
    values[id] = defaultOf(id)
  }
  for (const id of Object.keys(definitions) as SettingId[]) {
    values[id] = defaultOf(id)
    const source = id in fromEnvironment ? fromEnvironment : stored
    if (!(id in source)) continue
    const cleaned = withoutUnknown(id, source[id])
    const parsed = parseSetting(id, id === 'passwordCustomRules' ? validRules(cleaned) : cleaned)
    if ('code' in parsed) fallBack(id, parsed.code)
    else values[id] = parsed.value
  }
  const settings = values as Settings
  for (const { ids, code, holds } of relations)
    if (!holds(settings)) for (const id of ids) if (!(id in fromEnvironment)) fallBack(id, code)
  return settings
}

/** Returns every setting with the defaults applied: durations in seconds, retentions in days. */
export const platformSettings = (): Promise<Settings> =>
  cached('settings', async () => {
    const { stored, userRoleId } = await selectStoredSettings()
    return settingsFrom(stored, userRoleId, givenSettings())
  })

/**
 * Returns the settings as this transaction sees them, for rules that must see a change of settings before its commit.
 */
export async function settingsIn(tx: Transaction): Promise<Settings> {
  const { stored, userRoleId } = await selectStoredSettings(tx)
  return settingsFrom(stored, userRoleId, givenSettings())
}
