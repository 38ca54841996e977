import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleModules } from '@/bin/build/bundle'

const folder = resolve('.data/e2e/own-routes')

/** Which calls answer at which routes of the build. */
const routes: Record<string, Record<string, keyof typeof import('./own-calls')>> = {
  '/api/v1/platform/setting/network-aliases': { GET: 'give', POST: 'take' },
  '/api/v1/platform/setting/network-aliases/[id]': { PUT: 'put' },
}

/** Is loaded before the server. When Next makes one of these routes, it gets the test's handlers in place of its own. */
const replacing = `
import Module from 'node:module'
const routes = ${JSON.stringify(routes)}
const handlers = async (names) => {
  const calls = await import('./own-calls.js')
  return Object.fromEntries(Object.entries(names).map(([method, name]) => [method, calls[name]]))
}
const load = Module._load
let replaced
Module._load = function (name, ...rest) {
  const loaded = load.call(this, name, ...rest)
  if (!name.endsWith('/app-route-turbo.runtime.prod.js')) return loaded
  replaced ??= {
    ...loaded,
    AppRouteRouteModule: class extends loaded.AppRouteRouteModule {
      constructor(options) {
        const own = routes[options.definition.pathname]
        super(own ? { ...options, userland: () => handlers(own) } : options)
      }
    },
  }
  return replaced
}
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
