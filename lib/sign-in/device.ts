import Bowser from 'bowser'

export type Device = { browser: string; system: string; type: 'desktop' | 'mobile' | 'tablet' }

/** How much of a user agent is looked at. */
const longest = 512

/** Parsed user agents: every request needs one, and most requests come from few browsers. */
const devices = new Map<string, Device>()

/** Returns browser and system of a user agent, each with its version, and the shipped device type. */
export function deviceOf(userAgent: string): Device {
  const known = devices.get(userAgent)
  if (known) return known
  // those of browsers are shorter
  if (userAgent.length > longest) return parsed(userAgent)
  if (devices.size >= 1_000) devices.clear()
  const device = parsed(userAgent)
  devices.set(userAgent, device)
  return device
}

function parsed(userAgent: string): Device {
  const none: Device = { browser: '', system: '', type: 'desktop' }
  if (!userAgent) return none
  try {
    const { browser, os, platform } = Bowser.parse(userAgent.slice(0, longest))
    const named = (part: { name?: string; version?: string; versionName?: string }) =>
      [part.name, part.versionName ?? part.version?.split('.')[0]].filter(Boolean).join(' ')
    const type = platform.type === 'mobile' || platform.type === 'tablet' ? platform.type : 'desktop'
    return { browser: named(browser), system: named(os), type }
  } catch {
    return none
  }
}

/** Returns the name of a device for mails and lists, such as `Chrome 140, Linux`; '' for an unknown one. */
export function deviceName({ userAgent }: { userAgent: string }): string {
  const { browser, system } = deviceOf(userAgent)
  return [browser, system].filter(Boolean).join(', ')
}
