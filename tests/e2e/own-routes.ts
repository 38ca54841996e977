import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleModules } from '@/bin/build/bundle'

const folder = resolve('.data/e2e/own-routes')

/** Which of these calls answers in place of which call of the build. */
const replaced: [name: string, call: keyof typeof import('./own-calls')][] = [
  ['listNetworkAliases', 'give'],
  ['createNetworkAlias', 'take'],
  ['updateNetworkAlias', 'put'],
]

/** Is loaded before the server, which then finds these handlers as if it had loaded them itself. */
const replacing = `
const handlers = ${JSON.stringify(replaced)}.map(([name, call]) => [
  name,
  async (request, args) => (await import('./own-calls.js'))[call](request, args),
])
globalThis.platformRestHandlers = new Map(handlers)
`

/**
 * Returns an environment in which the built server has a test's own calls in place of some of its routes. All that Next
 * and the server process do with a request is that of the build.
 */
export async function ownRoutes(): Promise<Record<string, string>> {
  await bundleModules(['tests/e2e/own-calls.ts'], folder, 'tests/e2e')
  const first = join(folder, 'replacing.mjs')
  await writeFile(first, replacing)
  return { NODE_OPTIONS: `--import=${pathToFileURL(first)}` }
}
