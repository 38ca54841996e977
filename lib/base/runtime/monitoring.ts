/** What a check looks at. The texts of the kinds are in `monitoring.kinds`. */
export const checkKinds = ['database', 'redis', 'mail', 'sms', 'jobs', 'application', 'provider', 'license'] as const
type CheckKind = (typeof checkKinds)[number]

/** 1 is low, 2 medium, 3 high: it stops people from signing in. */
type Criticality = 1 | 2 | 3

/** Thrown by a check. Its message is a short code or status of the fault, without addresses and secrets. */
export class CheckFault extends Error {
  override name = 'CheckFault'
}

export type Check = {
  /** Identifies the check, such as `database` or `application:warehouse`. */
  key: string
  kind: CheckKind
  critical: Criticality
  /** The names of the object that is checked, if people have named it. */
  named?: { name: string; nameEn: string | null; description?: string; descriptionEn?: string | null }
  applicationId?: string
  /**
   * Checks once, and throws if the service doesn't work. May return `{ stuck: 3 }`, the number of stuck items, and
   * `{ connected: false }` if there is nothing to check.
   */
  look: (signal: AbortSignal) => Promise<unknown>
}

/** Returns the checks of a source as of now. */
type Source = () => Promise<Check[]>

// one set for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformChecks?: Map<string, Source> }
shared.platformChecks ??= new Map()
const { platformChecks: sources } = shared

/**
 * Adds checks to the monitoring (docs/rules/monitoring.md#what-is-checked). `compose` calls it for the subjects,
 * because the monitoring is in a higher subject. `name` is that of the source; a later source of this name replaces it.
 */
export const addChecks = (name: string, source: Source) => void sources.set(name, source)

/** Returns the sources of checks by their names. */
export const checkSources = (): ReadonlyMap<string, Source> => sources
