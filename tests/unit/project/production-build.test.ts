import Module from 'node:module'
import { resolve } from 'node:path'
import { PHASE_PRODUCTION_SERVER } from 'next/dist/shared/lib/constants.js'
import { afterAll, expect, test, vi } from 'vitest'
import { scripts } from '@/package.json'

// Next's build changes how this process finds modules, for all test files after this one
const loader = Module as unknown as { _resolveFilename: unknown; prototype: { require: unknown } }
const { _resolveFilename } = loader
const { require } = loader.prototype
const { discoverRoutes } = await import('next/dist/build/route-discovery.js')
afterAll(() => {
  Object.assign(loader, { _resolveFilename })
  Object.assign(loader.prototype, { require })
})

const isForDevelopers = (route: string) => route.startsWith('/platform/dev/')

/** Returns the addresses that `next build` finds in the folder of pages. */
async function builtRoutes(withoutDevPages: '' | '1'): Promise<string[]> {
  vi.stubEnv('WITHOUT_DEV_PAGES', withoutDevPages)
  vi.resetModules()
  const { default: configOf } = await import('@/next.config')
  const { pageExtensions = [] } = configOf(PHASE_PRODUCTION_SERVER)
  const options = { appDir: resolve('app'), baseDir: resolve('.'), pageExtensions, isDev: false }
  const { appRoutes, appRouteHandlers } = await discoverRoutes(options)
  return [...appRoutes, ...appRouteHandlers].map(({ route }) => route)
}

test('a production build has every page except those for developers', async () => {
  const routes = await builtRoutes('')
  expect(routes.filter(isForDevelopers).length).toBeGreaterThan(5)
  expect(await builtRoutes('1')).toEqual(routes.filter((route) => !isForDevelopers(route)))
  expect(scripts.build).toMatch(/ --production$/)
})
