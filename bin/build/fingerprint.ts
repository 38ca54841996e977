import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const folders = ['app', 'bin', 'components', 'db', 'lib', 'messages', 'public']
const fingerprintFile = join('.next', 'platform-fingerprint')

/** What only checks and tests use, and what Next generates. */
const apart = /^(?:bin\/(?:test|check)[./]|(?:vitest\.config|next-env\.d)\.ts$|(?:biome|knip)\.json$)|\.d\.json\.ts$/

/** Files that a build depends on: the folders above and the configuration files. */
async function sources(): Promise<string[]> {
  const beside = (await readdir('.')).filter((name) => /\.(ts|mjs|json)$/.test(name))
  const inside = await Promise.all(
    folders.filter(existsSync).map(async (folder) => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    }),
  )
  return [...beside, ...inside.flat()].filter((path) => !apart.test(path)).sort()
}

/** Returns a hash of all sources and pinned packages. */
export async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  for (const path of await sources())
    hash
      .update(`${path}\0`)
      .update(await readFile(path))
      .update('\0')
  return hash.digest('hex')
}

/** Returns whether the existing build was made from these sources. */
export async function isBuilt(from: string): Promise<boolean> {
  const whole = ['.next/BUILD_ID', 'dist/server.js', 'dist/worker.js'].every(existsSync)
  return whole && (await readFile(fingerprintFile, 'utf8').catch(() => '')) === from
}

export const markBuilt = (from: string) => writeFile(fingerprintFile, from)
