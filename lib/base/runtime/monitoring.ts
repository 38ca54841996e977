/** What a check is of; texts of the kinds are in `monitoring.kinds`. */
export const checkKinds = ['database', 'redis', 'mail', 'sms', 'jobs', 'application', 'provider', 'license'] as const
type CheckKind = (typeof checkKinds)[number]

/** 1 low, 2 medium, 3 high: what stops people from signing in. */
type Criticality = 1 | 2 | 3

/** Thrown by a check: a short code or status of what is wrong, without addresses and secrets. */
export class CheckFault extends Error {
  override name = 'CheckFault'
}

export type Check = {
  /** Identifies it, such as `database` or `application:warehouse`. */
  key: string
  kind: CheckKind
  critical: Criticality
  /** Of what people have named. */
  named?: { name: string; nameEn: string | null; description?: string; descriptionEn?: string | null }
  applicationId?: string
  /**
   * Looks once, and throws if it doesn't work. May return `{ stuck: 3 }`: how much it found stuck, and
   * `{ connected: false }`: there is nothing to look at.
   */
  look: (signal: AbortSignal) => Promise<unknown>
}

/** Returns what is to be checked now. */
type Source = () => Promise<Check[]>

// one set for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformChecks?: Map<string, Source> }
shared.platformChecks ??= new Map()
const { platformChecks: sources } = shared

/**
 * Adds checks to the monitoring (docs/rules/monitoring.md#what-is-checked). Wings call it from `compose`, because the
 * monitoring stands above them. `name` is that of the source; a later one replaces it.
 */
export const addChecks = (name: string, source: Source) => void sources.set(name, source)

/** Returns the sources of checks by their names. */
export const checkSources = (): ReadonlyMap<string, Source> => sources
