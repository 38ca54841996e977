import { Session } from 'node:inspector/promises'
import { isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The functions of a file of the project that have run, by where they begin; 0 is the file itself. */
export type Executed = { path: string; offsets: number[] }

/**
 * Counts from now on which functions of this process run. The returned function says which functions of the project's
 * files have run since its last call. The first two of a file are the file itself and what its loader puts around it.
 */
export async function watchExecuted(): Promise<() => Promise<Executed[]>> {
  const root = process.cwd()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result.flatMap(({ url, functions }) => {
      const path = relative(root, url.startsWith('file:') ? fileURLToPath(url) : url)
      if (path.startsWith('..') || isAbsolute(path) || path.includes('node_modules/') || !/\.[jt]sx?$/.test(path))
        return []
      const ran = functions.slice(/\.tsx?$/.test(path) ? 2 : 1).filter(({ ranges: [all] }) => all && all.count > 0)
      return ran.length > 0 ? [{ path, offsets: ran.map(({ ranges: [all] }) => all?.startOffset ?? 0) }] : []
    })
  }
}
