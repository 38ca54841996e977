import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleModules, commandFiles } from '@/bin/build/bundle'

const folder = '.data/test-modules'

/** Returns the bundle of a TypeScript file of this project that `bundleForTests` has bundled, as an absolute path. */
export const bundled = (path: string) => join(process.cwd(), folder, path.replace(/\.ts$/, '.js'))

/**
 * Bundles what tests run in other processes: the commands, and each module that the code of a test loads by
 * `load('…')`. A process that compiles them itself needs two seconds of a processor before it begins.
 */
export async function bundleForTests() {
  const loaded = new Set<string>()
  for await (const file of glob('tests/{integration,factories}/**/*.ts'))
    for (const [, path] of (await readFile(file, 'utf8')).matchAll(/\bload\('([^']+\.ts)'\)/g))
      if (path) loaded.add(path)
  await bundleModules([...new Set([...commandFiles, ...loaded])], folder)
}
