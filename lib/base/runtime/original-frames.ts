import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const pathOf = (file: string) => (file.startsWith('file:') ? fileURLToPath(file) : file)

/** The maps of the bundles of the last errors; null for a file without one. */
const maps = new Map<string, SourceMap | null>()
const mostMaps = 16

/** Returns the map beside a file, which is a path or an address. Returns null for a file without one. */
function mapOf(file: string): SourceMap | null {
  const cached = maps.get(file)
  if (cached !== undefined) return cached
  let map: SourceMap | null
  try {
    map = new SourceMap(JSON.parse(readFileSync(`${pathOf(file)}.map`, 'utf8')))
  } catch {
    // sources and libraries have none, and a message may look like a frame
    map = null
  }
  const [oldest] = maps.keys()
  if (maps.size >= mostMaps && oldest !== undefined) maps.delete(oldest)
  maps.set(file, map)
  return map
}

/**
 * Returns a frame of a stack with the place in the source, if its file has a source map beside it. Never throws. Maps are
 * read when an error is logged: Node's own `--enable-source-maps` keeps those of all files, which took 150 of 438 MB of a
 * process at rest.
 */
export function originalFrame(frame: string): string {
  const [place, file, line, column] = /((?:file:\/\/)?\/[^\s()]+?\.m?js):(\d+):(\d+)/.exec(frame) ?? []
  if (!place || !file) return frame
  const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
  if (!entry || !('originalSource' in entry) || !entry.originalSource) return frame
  const source = resolve(dirname(pathOf(file)), entry.originalSource)
  return frame.replace(place, `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`)
}
