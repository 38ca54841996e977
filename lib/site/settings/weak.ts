import { definitions, type SettingId, settingModules } from './definitions'
import { platformSettings } from './service'

/** Settings of which nothing at all is weak, whatever is advised of numbers. */
const emptied = { passwordHistory: 0, sendAccessNotify: false } as const

/** Returns which settings protect people less than is advised (docs/rules/administration-screens.md#overview). */
export async function weakSettings(): Promise<SettingId[]> {
  const values: Partial<Record<string, unknown>> = await platformSettings()
  return (Object.keys(definitions) as SettingId[]).filter((id) => {
    const { bounds } = definitions[id] as { bounds?: { advised?: number } }
    const value = values[id]
    if (bounds?.advised !== undefined && typeof value === 'number' && value < bounds.advised) return true
    return Object.hasOwn(emptied, id) && value === emptied[id as keyof typeof emptied]
  })
}

/** Returns the module of a setting of the platform, by which the page of settings leads to it. */
export const moduleOf = (id: SettingId) =>
  Object.entries(settingModules.platform).find(([, settings]) => Object.hasOwn(settings, id))?.[0] ?? ''
