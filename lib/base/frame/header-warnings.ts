import type { SystemicMethod } from '../access/access-methods'
import { holdsMethod } from '../context/access'
import type { CtxUser } from '../context/ctx'
import { log } from '../runtime/log'
import { withTimeout } from '../runtime/timeouts'

/** What the header tells of, in its order (docs/rules/monitoring.md#in-the-header). */
const headerNotices = ['monitoring', 'diagnostics', 'update'] as const
export type HeaderWarningName = (typeof headerNotices)[number]

/** `count` of what is wrong, or the versions of an update. */
export type HeaderWarning = { name: HeaderWarningName; count: number; version?: string; recommended?: string }

type Source = {
  /** Who is told. */
  method: SystemicMethod
  /** Returns what is wrong; null if nothing is. Called with every page, so it is cached. */
  load: () => Promise<Omit<HeaderWarning, 'name'> | null>
}

// one set for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformHeaderNotices?: Map<HeaderWarningName, Source> }
shared.platformHeaderNotices ??= new Map()
const { platformHeaderNotices: sources } = shared

/** Milliseconds that a page waits for a notice. */
const patience = 1_000

/** Registers what the header tells of. The frame imports no subject, so each subject registers its own. */
export const registerHeaderWarning = (name: HeaderWarningName, source: Source) => void sources.set(name, source)

/** Returns what the header tells this person. Never throws and never takes long: a page is shown without it then. */
export async function headerWarningsOf({ methods }: Pick<CtxUser, 'methods'>): Promise<HeaderWarning[]> {
  const found = await Promise.all(
    headerNotices.map(async (name) => {
      const source = sources.get(name)
      if (!source || !holdsMethod({ methods }, source.method)) return null
      try {
        const told = await withTimeout(patience, source.load(), () => new Error('it takes too long'))
        return told && { name, ...told }
      } catch (error) {
        log.debug({ err: error, notice: name }, 'a notice of the header is unknown')
        return null
      }
    }),
  )
  return found.filter((notice) => notice !== null)
}
