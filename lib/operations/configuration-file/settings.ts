import { isDeepStrictEqual } from 'node:util'
import { fieldError } from '@/lib/base/runtime/errors'
import { definitions, type SettingId } from '@/lib/site/settings/definitions'
import { platformSettings } from '@/lib/site/settings/service'
import { toWire } from '@/lib/site/settings/wire'
import * as settingCalls from '../settings-screen/contract'
import * as settings from '../settings-screen/save'
import { type Names, sorted } from './names'
import type { Step } from './plan'
import type { Rows } from './queries'
import { type Configured, placeOf } from './sections'
import { atObject, bodyOf, idOf, idsOf, type Writing } from './writing'

/** Returns the value of a stored setting as a file has it: with names in place of ids. */
function fileValueOf(names: Names, id: string, value: unknown): unknown {
  if (id === 'defaultUserRole') return names.roles.get(value as string) ?? value
  if (id === 'reverseProxy') return sorted((value as string[]).map((alias) => names.networkAliases.get(alias) ?? alias))
  // people are data: only the addresses that somebody entered are configuration
  if (id === 'accessRequestsNotifyRecipients') return { emails: (value as { emails: string[] }).emails }
  return value
}

/** Returns the settings that somebody changed. */
export const changedSettings = (rows: Rows, names: Names): Configured<'settings'>[] =>
  rows.settings
    .filter(({ id }) => Object.hasOwn(definitions, id))
    .map(({ id, value }) => ({ setting: id, value: fileValueOf(names, id, value) }))
    .filter((setting) => !isPreset(setting))

/**
 * Whether a setting of the file has its default: the content of a configuration has only settings that somebody
 * changed.
 */
export function isPreset({ setting, value }: { setting?: unknown; value?: unknown }): boolean {
  if (!Object.hasOwn(definitions, setting as SettingId)) return false
  if (setting === 'defaultUserRole') return value === 'user'
  if (setting === 'accessRequestsNotifyRecipients') return isDeepStrictEqual(value, { emails: [] })
  return isDeepStrictEqual(value, definitions[setting as SettingId].default)
}

/** Returns the value of a setting as its endpoint takes it; a setting that isn't in the file gets its default. */
function wireOf(writing: Writing, id: SettingId, fileValue: unknown, current: { users: string[] }) {
  const { type, default: defaultValue } = definitions[id] as { type: Parameters<typeof toWire>[0]; default: unknown }
  const value = fileValue === undefined ? defaultValue : fileValue
  if (type === 'role') return { value_props: { value: idOf(writing, 'roles', String(value ?? 'user'), 'value') } }
  if (type === 'networkAliases') {
    if (!Array.isArray(value)) throw fieldError('value', 'errorFormat')
    return { value_props: { value: idsOf(writing, 'networkAliases', value.map(String), 'value') } }
  }
  if (type === 'recipients') {
    const { emails = [], ...unknown } = (value ?? {}) as { emails?: unknown; users?: unknown }
    if (Object.keys(unknown).some((name) => fileValue !== undefined || name !== 'users'))
      throw fieldError('value', 'errorUnknownField')
    return { value_props: { users: current.users, emails } }
  }
  if (type === 'duration' && (typeof value !== 'object' || value === null)) throw fieldError('value', 'errorFormat')
  const { value: plain, value_props: props } = toWire(type, value)
  return {
    ...(props === null
      ? { value: plain }
      : type === 'duration'
        ? { value: plain, value_props: props }
        : { value_props: props }),
  }
}

/** Saves all changed settings at once, as they must agree with one another. */
export async function writeSettings(writing: Writing, steps: readonly Step[]) {
  for (const scope of ['platform', 'users'] as const) {
    const ids = settingCalls.modulesOf(scope).flatMap((module) => module.settings.map(({ id }) => id as string))
    const settingSteps = steps.filter(({ key }) => ids.includes(key))
    if (settingSteps.length === 0) continue
    const values: Record<string, unknown> = {}
    for (const step of settingSteps)
      await atObject(placeOf(step), async () => {
        const { accessRequestsNotifyRecipients } = await platformSettings()
        values[step.key] = wireOf(writing, step.key as SettingId, step.after?.value, accessRequestsNotifyRecipients)
      })
    const save = scope === 'platform' ? settings.savePlatformSettings : settings.saveUsersSettings
    const { body } = scope === 'platform' ? settingCalls.savePlatformSettings : settingCalls.saveUsersSettings
    await atObject('settings', () => save(writing.ctx, { body: bodyOf({ body: body as never }, values) as never }))
  }
  const unknown = steps.find(({ key }) => !Object.hasOwn(definitions, key))
  if (unknown) await atObject(placeOf(unknown), () => Promise.reject(fieldError('setting', 'errorUnknownField')))
}
