import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { connect } from 'node:net'
import { join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Executed } from '../setup/executed'
import { pieceOf } from '../setup/piece'
import { tellRun } from '../setup/turn'

/** By bundle and place in it: the source file that is there. */
const placesByBundle = new Map<string, Map<number, string>>()

function sourceFile(bundle: string, source: string): string {
  const project = 'turbopack:///[project]/'
  if (source.startsWith(project)) return source.slice(project.length)
  return relative('.', source.startsWith('file:') ? fileURLToPath(source) : resolve(bundle, '..', source))
}

/** Returns the source files of functions of a bundle. */
function sourcesOf({ path: bundle, offsets }: Executed): string[] {
  const places = placesByBundle.get(bundle) ?? new Map<number, string>()
  placesByBundle.set(bundle, places)
  const fresh = offsets.filter((offset) => !places.has(offset))
  if (fresh.length > 0) {
    const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')))
    const starts = [0, ...[...readFileSync(bundle, 'utf8').matchAll(/\n/g)].map(({ index }) => index + 1)]
    for (const offset of fresh) {
      const line = starts.findLastIndex((start) => start <= offset)
      const entry = map.findEntry(line, offset - (starts[line] ?? 0))
      places.set(offset, 'originalSource' in entry ? sourceFile(bundle, entry.originalSource) : '')
    }
  }
  return offsets.map((offset) => places.get(offset) ?? '')
}

async function filesOf(socket: string): Promise<string[]> {
  let executed: Executed[]
  try {
    executed = JSON.parse(await text(connect(socket)))
  } catch {
    // a server that a test has ended leaves its socket
    return []
  }
  return executed.filter(({ path }) => existsSync(`${path}.map`)).flatMap(sourcesOf)
}

let running: string | undefined

/**
 * In a full run, tells which source files the platform has run for the test file that was running, when another one
 * begins. `undefined` is the end of the process.
 */
export async function noteRan(file: string | undefined) {
  const folder = process.env.TEST_MAP_SOCKETS
  if (!folder || file === running) return
  const files = new Set<string>()
  for (const name of readdirSync(folder)) for (const each of await filesOf(join(folder, name))) files.add(each)
  const ran = [...files].filter((each) => each && !each.startsWith('..') && !each.includes('node_modules/'))
  if (running) tellRun({ ran, by: pieceOf(running) })
  running = file
}
