import { ConfigurationError, env } from '@/lib/base/runtime/env'
import { definitions, type SettingId, type Settings } from './definitions'
import { parseSetting } from './parse'
import { brokenRelations } from './relations'

/** The environment variable with settings; the administration can't change their values. */
export const givenBy = 'SETTINGS'

/**
 * Settings that the environment can't set, because only a save can check them: they also change data, contain ids, or
 * decide who can sign in.
 */
const neverFromEnvironment: readonly SettingId[] = [
  'identificationLogin',
  'identificationEmail',
  'identificationMobile',
  'reverseProxy',
  'whitelistMode',
  'defaultUserRole',
  'accessRequestsNotifyRecipients',
]

/**
 * Checks the settings of the environment. Returns them as they would be stored. `defaults` are the defaults of all
 * settings. Throws ConfigurationError, which names every fault.
 */
export function checkGiven(fromEnvironment: Record<string, unknown>, defaults: Omit<Settings, 'defaultUserRole'>) {
  const faults: string[] = []
  const values: Record<string, unknown> = { ...defaults }
  for (const [id, raw] of Object.entries(fromEnvironment)) {
    if (!Object.hasOwn(definitions, id)) faults.push(`${id} is no setting`)
    else if (neverFromEnvironment.includes(id as SettingId))
      faults.push(`${id} can be changed in the administration only`)
    else {
      const parsed = parseSetting(id as SettingId, raw)
      if ('code' in parsed) faults.push(`${id} is not valid (${parsed.code})`)
      else values[id] = parsed.value
    }
  }
  for (const { id, code } of brokenRelations(values as Settings, Object.keys(fromEnvironment)))
    faults.push(`${id} contradicts another setting (${code})`)
  if (faults.length > 0)
    throw new ConfigurationError(faults.map((message) => ({ variable: givenBy, message: `must be valid: ${message}` })))
  return fromEnvironment
}

let checked: { of: object; given: Record<string, unknown> } | undefined

/** Returns the settings of the environment, as they would be stored. Throws ConfigurationError for a fault. */
export function givenSettings(): Record<string, unknown> {
  const { SETTINGS: settings } = env()
  if (checked?.of === settings) return checked.given
  const ids = (Object.keys(definitions) as SettingId[]).filter((id) => id !== 'defaultUserRole')
  const defaults = ids.map((id) => {
    const parsed = parseSetting(id, definitions[id].default)
    return [id, 'value' in parsed ? parsed.value : undefined]
  })
  checked = { of: settings, given: checkGiven(settings, Object.fromEntries(defaults)) }
  return checked.given
}
