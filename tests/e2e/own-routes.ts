import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleModules } from '@/bin/build/bundle'

const folder = resolve('.data/e2e/own-routes')

/** Which calls answer at which addresses of the build. */
const routes: [method: string, path: string, call: keyof typeof import('./own-calls')][] = [
  ['GET', '^/api/v1/platform/setting/network-aliases$', 'give'],
  ['POST', '^/api/v1/platform/setting/network-aliases$', 'take'],
  ['PUT', '^/api/v1/platform/setting/network-aliases/(?<id>[^/]+)$', 'put'],
]

/** Is loaded before the server. When Next makes the route of the REST API, the test's handlers come before its own. */
const replacing = `
import Module from 'node:module'
const routes = ${JSON.stringify(routes)}
const within = async (userland) => {
  const calls = await import('./own-calls.js')
  const theirs = typeof userland === 'function' ? await userland() : userland
  const handlers = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [
    method,
    (request, args) => {
      const { pathname } = new URL(request.url)
      for (const [answered, path, name] of routes) {
        const match = answered === method && new RegExp(path).exec(pathname)
        if (match) return calls[name](request, { params: Promise.resolve({ ...match.groups }) })
      }
      return theirs[method](request, args)
    },
  ])
  return { ...theirs, ...Object.fromEntries(handlers) }
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
        const isRest = options.definition.pathname === '/api/v1/platform/[...path]'
        super(isRest ? { ...options, userland: () => within(options.userland) } : options)
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
