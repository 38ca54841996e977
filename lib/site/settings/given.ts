import { ConfigurationError, env } from '@/lib/base/runtime/env'
import { definitions, type SettingId, type Settings } from './definitions'
import { parseSetting } from './parse'
import { brokenRelations } from './relations'

/** The environment variable that gives settings; their values can't be changed in the administration. */
export const givenBy = 'SETTINGS'

/** Settings whose change also changes data, names something by id, or decides who gets in: only a save can check them. */
const onlySaved: readonly SettingId[] = [
  'identificationLogin',
  'identificationEmail',
  'identificationMobile',
  'reverseProxy',
  'whitelistMode',
  'defaultUserRole',
  'accessRequestsNotifyRecipients',
]

/**
 * Checks the settings of the environment and returns them as they would be stored. `defaults` are all settings without
 * them. Throws ConfigurationError, which names every fault.
 */
export function checkGiven(given: Record<string, unknown>, defaults: Omit<Settings, 'defaultUserRole'>) {
  const faults: string[] = []
  const values: Record<string, unknown> = { ...defaults }
  for (const [id, raw] of Object.entries(given)) {
    if (!Object.hasOwn(definitions, id)) faults.push(`${id} is no setting`)
    else if (onlySaved.includes(id as SettingId)) faults.push(`${id} can be changed in the administration only`)
    else {
      const parsed = parseSetting(id as SettingId, raw)
      if ('code' in parsed) faults.push(`${id} is not valid (${parsed.code})`)
      else values[id] = parsed.value
    }
  }
  for (const { id, code } of brokenRelations(values as Settings, Object.keys(given)))
    faults.push(`${id} contradicts another setting (${code})`)
  if (faults.length > 0)
    throw new ConfigurationError(faults.map((message) => ({ variable: givenBy, message: `must be valid: ${message}` })))
  return given
}

let checked: { of: object; given: Record<string, unknown> } | undefined

/** Returns the settings that the environment gives, as they would be stored. Throws ConfigurationError for a fault. */
export function givenSettings(): Record<string, unknown> {
  const { SETTINGS: of } = env()
  if (checked?.of === of) return checked.given
  const ids = (Object.keys(definitions) as SettingId[]).filter((id) => id !== 'defaultUserRole')
  const defaults = ids.map((id) => {
    const parsed = parseSetting(id, definitions[id].default)
    return [id, 'value' in parsed ? parsed.value : undefined]
  })
  checked = { of, given: checkGiven(of, Object.fromEntries(defaults)) }
  return checked.given
}
