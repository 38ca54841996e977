import { createRequire } from 'node:module'

// read when it runs: not everything that loads this module can import JSON
const { version } = createRequire(`${process.cwd()}/package.json`)('./package.json') as { version: string }

/** The parts of the platform whose versions are known here. */
export const parts = ['platform', 'node', 'postgresql', 'redis'] as const
export type PartName = (typeof parts)[number]

/**
 * The versions that this one is made for. RECOMMENDED_VERSIONS overrides them, and names those of applications by their
 * codes (docs/rules/monitoring.md#versions).
 */
export const shipped: Readonly<Record<PartName, string>> = {
  platform: version,
  node: '24',
  postgresql: '15',
  redis: '7',
}

const numbersOf = (text: string) => {
  const [numbers = '', ...rest] = text.trim().replace(/^v/i, '').split(/[-+ ]/)
  return {
    numbers: numbers.split('.').map((part) => Number.parseInt(part, 10) || 0),
    early: /^v?[\d.]+-/i.test(text.trim()) && rest.length > 0,
  }
}

/** Returns whether a version is older than another; numbers count part by part, and `1.0-rc` comes before `1.0`. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(than)]
  for (let at = 0; at < b.numbers.length; at++) {
    const difference = (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return a.early && !b.early && a.numbers.slice(b.numbers.length).every((part) => part === 0)
}

/** What a version looks like: it is shown, so it is short and plain. */
const plain = /^v?\d[\w.+-]{0,63}$/

/** Returns the version in the answer of a technical address: `version`, `build.version` or `app.version`, or a line. */
export function versionIn(text: string): string | null {
  const ok = (value: unknown) => (typeof value === 'string' && plain.test(value.trim()) ? value.trim() : null)
  try {
    const json = JSON.parse(text) as Record<string, unknown> | null
    const within = (name: string) => (json?.[name] as { version?: unknown } | null | undefined)?.version
    return ok(json?.version) ?? ok(within('build')) ?? ok(within('app'))
  } catch {
    return ok(text)
  }
}

export type VersionStatus = 'current' | 'uncompared' | 'outdated' | 'unknown'

/**
 * Returns how a version stands to the recommended one, which is the oldest that will do. A version from before a look
 * that found none may be another by now: it can only be known to be outdated.
 */
export function statusOf(
  version: string | null,
  recommended: string | null,
  error: string | null = null,
): VersionStatus {
  if (version && recommended && isOlder(version, recommended)) return 'outdated'
  if (!version || error) return 'unknown'
  return recommended ? 'current' : 'uncompared'
}
