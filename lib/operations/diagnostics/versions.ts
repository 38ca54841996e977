import { createRequire } from 'node:module'

// read at run time: not everything that loads this module can import JSON
const { version } = createRequire(`${process.cwd()}/package.json`)('./package.json') as { version: string }

/** The parts of the platform whose versions are known. */
export const parts = ['platform', 'node', 'postgresql', 'redis'] as const
export type PartName = (typeof parts)[number]

/**
 * The versions that this release is made for. RECOMMENDED_VERSIONS overrides them, and has those of applications by
 * their codes (docs/rules/monitoring.md#versions).
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

/**
 * Returns whether a version is older than another; numbers are compared part by part, and `1.0-rc` comes before `1.0`.
 */
export function isOlder(version: string, other: string): boolean {
  const [left, right] = [numbersOf(version), numbersOf(other)]
  for (let index = 0; index < right.numbers.length; index++) {
    const difference = (left.numbers[index] ?? 0) - (right.numbers[index] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return left.early && !right.early && left.numbers.slice(right.numbers.length).every((part) => part === 0)
}

/** The format of a version: it is shown, so it must be short and plain. */
const versionFormat = /^v?\d[\w.+-]{0,63}$/

/** Returns the version in the answer of a technical address: `version`, `build.version` or `app.version`, or a line. */
export function versionIn(text: string): string | null {
  const validVersion = (value: unknown) =>
    typeof value === 'string' && versionFormat.test(value.trim()) ? value.trim() : null
  try {
    const json = JSON.parse(text) as Record<string, unknown> | null
    const versionOf = (name: string) => (json?.[name] as { version?: unknown } | null | undefined)?.version
    return validVersion(json?.version) ?? validVersion(versionOf('build')) ?? validVersion(versionOf('app'))
  } catch {
    return validVersion(text)
  }
}

export type VersionStatus = 'current' | 'uncompared' | 'outdated' | 'unknown'

/**
 * Returns the status of a version compared with the recommended one, which is the oldest sufficient one. If the last
 * search found no version, an earlier one may have changed: it then only shows whether it was outdated.
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
