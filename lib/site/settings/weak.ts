import { definitions, type SettingId, settingModules } from './definitions'
import { platformSettings } from './service'

/** Values that count as weak for settings without advised numbers. */
const weakValues = { passwordHistory: 0, sendAccessNotify: false } as const

/** Returns the settings with a value weaker than advised (docs/rules/administration-screens.md#overview). */
export async function weakSettings(): Promise<SettingId[]> {
  const values: Partial<Record<string, unknown>> = await platformSettings()
  return (Object.keys(definitions) as SettingId[]).filter((id) => {
    const { bounds } = definitions[id] as { bounds?: { advised?: number } }
    const value = values[id]
    if (bounds?.advised !== undefined && typeof value === 'number' && value < bounds.advised) return true
    return Object.hasOwn(weakValues, id) && value === weakValues[id as keyof typeof weakValues]
  })
}

/** Returns the module of a setting of the platform, for links to the page of settings. */
export const moduleOf = (id: SettingId) =>
  Object.entries(settingModules.platform).find(([, settings]) => Object.hasOwn(settings, id))?.[0] ?? ''
