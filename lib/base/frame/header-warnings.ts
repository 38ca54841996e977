import type { SystemicMethod } from '../access/access-methods'
import { holdsMethod } from '../context/access'
import type { CtxUser } from '../context/ctx'
import { log } from '../runtime/log'
import { withTimeout } from '../runtime/timeouts'

/** The header warnings in their order (docs/rules/monitoring.md#in-the-header). */
const headerWarningNames = ['monitoring', 'diagnostics', 'update'] as const
export type HeaderWarningName = (typeof headerWarningNames)[number]

/** A header warning: the `count` of faults, or the versions of an update. */
export type HeaderWarning = { name: HeaderWarningName; count: number; version?: string; recommended?: string }

type Source = {
  /** People with this method see the warning. */
  method: SystemicMethod
  /** Returns the warning; null if there is none. Called for every page, so it must cache. */
  load: () => Promise<Omit<HeaderWarning, 'name'> | null>
}

// one set for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformHeaderNotices?: Map<HeaderWarningName, Source> }
shared.platformHeaderNotices ??= new Map()
const { platformHeaderNotices: sources } = shared

/** Milliseconds for which a page waits for a header warning. */
const timeout = 1_000

/** Registers a header warning. The frame imports no subject, so each subject registers its own. */
export const registerHeaderWarning = (name: HeaderWarningName, source: Source) => void sources.set(name, source)

/** Returns a person's header warnings. Never throws: after an error or the timeout the page lacks the warning. */
export async function headerWarningsOf({ methods }: Pick<CtxUser, 'methods'>): Promise<HeaderWarning[]> {
  const warnings = await Promise.all(
    headerWarningNames.map(async (name) => {
      const source = sources.get(name)
      if (!source || !holdsMethod({ methods }, source.method)) return null
      try {
        const warning = await withTimeout(timeout, source.load(), () => new Error('it takes too long'))
        return warning && { name, ...warning }
      } catch (error) {
        log.debug({ err: error, warning: name }, 'a warning of the header is unknown')
        return null
      }
    }),
  )
  return warnings.filter((entry) => entry !== null)
}
