import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { Contract } from '@/lib/base/contracts/contract'
import { isContract } from '@/lib/base/http/endpoints'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { screenAt } from '@/lib/base/navigation/screens'

/**
 * A page that calls a contract must send the browser the file with the texts of the contract's errors and notice.
 * Otherwise their keys would be shown, which nobody sees until the call fails.
 */

const sourceAt = (path: string) =>
  [`${path}.tsx`, `${path}.ts`, path].find((file) => /\.tsx?$/.test(file) && existsSync(file))
const resolved = (from: string, specifier: string) =>
  specifier.startsWith('@/') ? normalize(specifier.slice(2)) : normalize(join(dirname(from), specifier))

type Import = { names: string[]; path: string }
const cachedImports = new Map<string, Import[]>()
/** Returns what a file imports from this project, statically or with `import()`, with the names. */
function importsOf(file: string): Import[] {
  const cached = cachedImports.get(file)
  if (cached) return cached
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const named = [...text.matchAll(/import ([^'"]*?)from '([@.][^']*)'/g)].map(([, names = '', path = '']) => ({
    names: (names.startsWith('type ') ? '' : (/\{([^}]*)\}/.exec(names)?.[1] ?? ''))
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name && !name.startsWith('type '))
      .map((name) => name.split(' as ')[0] ?? name),
    path: resolved(file, path),
  }))
  // `const { login } = await import(…)` or `.then(({ login }) => …)`; otherwise any export of the module may be called
  const later = [
    ...text.matchAll(/(?:\{([^{}]*)\} = await )?import\('([@.][^']*)'\)(?:\s*\.then\(\(\{([^{}]*)\}\))?/g),
  ].map(([, first, path = '', names = first]) => ({
    names: names ? names.split(',').map((name) => name.trim()) : ['*'],
    path: resolved(file, path),
  }))
  const all = [...named, ...later]
  cachedImports.set(file, all)
  return all
}

/** Returns the files of app and components that a page loads, including itself. */
function reached(start: string[]): Set<string> {
  const files = new Set(start)
  for (const file of files)
    for (const { path } of importsOf(file)) {
      const next = sourceAt(path)
      if (next && /^(?:app|components)\//.test(next)) files.add(next)
    }
  return files
}

/** Whether a contract's notice is shown to nobody. */
const without = ({ snackbar: _, ...contract }: Contract): Contract => contract

/**
 * Returns the contracts that these files call. Most are imported. Some files load no contract, name its type at the call
 * (`call<typeof x>`), and show no notice.
 */
async function contractsOf(files: Iterable<string>): Promise<Contract[]> {
  const calls = new Map<string, Contract>()
  for (const file of files)
    for (const { names, path } of importsOf(file)) {
      if (!/^lib\/.*\/contract$/.test(path)) continue
      const module = (await import(pathToFileURL(resolve(`${path}.ts`)).href)) as Record<string, unknown>
      const text = readFileSync(file, 'utf8')
      for (const [name, value] of Object.entries(module)) {
        if (!isContract(value)) continue
        if (text.includes(`all<typeof ${name}>`)) calls.set(value.name, without(value))
        else if (names.includes(name) || names.includes('*')) calls.set(value.name, value)
      }
    }
  return [...calls.values()]
}

/** Returns the files of texts that these files send to the browser: by `pickMessages`, by `texts` and `more` of a page. */
const picked = (files: Iterable<string>) =>
  [...files].flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const lists = [...text.matchAll(/<(?:List|Screen)Page\b[^>]*? texts="([\w-]+)"/g)].map(([, name = '']) => name)
    const more = [...text.matchAll(/<(?:List|Screen)Page\b[^>]*? more=\{\[([^\]]*)\]\}/g)].map(
      ([, names = '']) => names,
    )
    const given = [...more.join().matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name)
    const listed = [...text.matchAll(/pickMessages\((?:[^()]|\([^()]*\))*?\[([^\]]*)\]/g)].flatMap(([, names = '']) =>
      [...names.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name),
    )
    return [...lists, ...given, ...listed]
  })

type Shared = { errors?: Record<string, string>; snackbar?: Record<string, string> }
/** Returns the files of texts that have a text, such as `errors.notFound`. */
const owners = new Map<string, string>()
for (const file of readdirSync(`messages/${textLocales[0]}`).filter((name) => name.endsWith('.json'))) {
  const texts = JSON.parse(readFileSync(`messages/${textLocales[0]}/${file}`, 'utf8')) as Shared
  for (const block of ['errors', 'snackbar'] as const)
    for (const key of Object.keys(texts[block] ?? {})) owners.set(`${block}.${key}`, file.replace('.json', ''))
}

/**
 * Returns the texts that a call of a page may show and that the page doesn't send; `send` are the files that it sends.
 */
function missing(contracts: readonly Contract[], send: readonly string[]): string[] {
  const needed = contracts.flatMap(({ name, errors = {}, snackbar: notice }) => [
    ...Object.keys(errors).map((code) => [name, `errors.${code}`] as const),
    ...(notice ? [notice, `${notice}Error`].map((key) => [name, `snackbar.${key}`] as const) : []),
  ])
  return needed
    .filter(([, key]) => !send.includes(owners.get(key) ?? ''))
    .map(([name, key]) => `${name}: ${key} is in ${owners.get(key) ?? 'no file'}`)
}

const pages = readdirSync('app/platform', { recursive: true, withFileTypes: true })
  .filter(({ name }) => /^page(\.dev)?\.tsx$/.test(name))
  .map(({ parentPath, name }) => `${parentPath}/${name}`.replaceAll('\\', '/'))
/** Returns the address of a page, with its parameters as they stand in its path. */
const addressOf = (page: string) =>
  dirname(page)
    .split('/')
    .slice(1)
    .filter((folder) => !/^\(.*\)$/.test(folder))
    .join('/')
/** Returns the layouts around a page. */
const layoutsOf = (page: string) =>
  page
    .split('/')
    .map((_, at, parts) => [...parts.slice(0, at), 'layout.tsx'].join('/'))
    .filter((file) => existsSync(file))

/** Pages of forms: the server makes their calls, and no text is sent for a script (ADR 115). */
const ofForms = pages.filter((page) => screenAt(`/${addressOf(page)}`)?.public)

test('pages of forms make no call in the browser', async () => {
  expect(ofForms.length).toBeGreaterThan(10)
  for (const page of ofForms) {
    const calls = (await contractsOf(reached([page]))).map(({ name }) => name)
    // a refusal within the administration has the same parts, with Next's client
    expect(
      calls.filter((name) => !['authLogout', 'patchUserSettings'].includes(name)),
      page,
    ).toEqual([])
  }
})

test.each(pages.filter((page) => !ofForms.includes(page)))(
  '%s sends the texts of the calls that it makes',
  async (page) => {
    const ownCalls = reached([page])
    // a layout's own calls are made on each of its pages, with the texts that the layout sends
    const send = picked([...ownCalls, ...layoutsOf(page)])
    expect(missing(await contractsOf(ownCalls), send)).toEqual([])
  },
)

test('finds the texts that a page lacks', async () => {
  const page = 'app/platform/(admin)/setting/device-types/page.tsx'
  const contracts = await contractsOf(reached([page]))
  expect(contracts.map(({ name }) => name)).toEqual(expect.arrayContaining(['createDeviceType', 'deleteDeviceType']))
  expect(picked([page])).toEqual(['device-types'])
  const layout = picked(layoutsOf(page))
  expect(layout).toContain('errors')
  expect(missing(contracts, layout)).toEqual(
    expect.arrayContaining([
      'createDeviceType: snackbar.devicesTypesCreate is in device-types',
      'deleteDeviceType: errors.deviceTypeUsed is in device-types',
    ]),
  )
})

test('finds a call that names the type of its contract', async () => {
  const contracts = await contractsOf(reached(['app/platform/(profile)/layout.tsx']))
  expect(contracts.map(({ name }) => name)).toEqual(expect.arrayContaining(['authLogout', 'patchUserSettings']))
  expect(missing(contracts, ['entry'])).toContain('patchUserSettings: errors.errorTimeZone is in errors')
})
