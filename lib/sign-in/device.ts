import Bowser from 'bowser'

export type Device = { browser: string; system: string; type: 'desktop' | 'mobile' | 'tablet' }

/** How many characters of a user agent are parsed. */
const longest = 512

/** Parsed user agents: every request needs one, and most requests come from few browsers. */
const devices = new Map<string, Device>()

/** Returns browser and system of a user agent, each with its version, and the shipped device type. */
export function deviceOf(userAgent: string): Device {
  const cached = devices.get(userAgent)
  if (cached) return cached
  // not cached: user agents of browsers are shorter
  if (userAgent.length > longest) return parseDevice(userAgent)
  if (devices.size >= 1_000) devices.clear()
  const device = parseDevice(userAgent)
  devices.set(userAgent, device)
  return device
}

function parseDevice(userAgent: string): Device {
  const none: Device = { browser: '', system: '', type: 'desktop' }
  if (!userAgent) return none
  try {
    const { browser, os, platform } = Bowser.parse(userAgent.slice(0, longest))
    const nameOf = (part: { name?: string; version?: string; versionName?: string }) =>
      [part.name, part.versionName ?? part.version?.split('.')[0]].filter(Boolean).join(' ')
    const type = platform.type === 'mobile' || platform.type === 'tablet' ? platform.type : 'desktop'
    return { browser: nameOf(browser), system: nameOf(os), type }
  } catch {
    return none
  }
}

/** Returns the name of a device for mails and lists, such as `Chrome 140, Linux`; '' for an unknown one. */
export function deviceName({ userAgent }: { userAgent: string }): string {
  const { browser, system } = deviceOf(userAgent)
  return [browser, system].filter(Boolean).join(', ')
}
