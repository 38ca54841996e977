import type { Importers } from './importers'

/** What is known of the tests. */
export type Known = {
  /** By test file: the source files of which it ran a function, as the last full run has noted. */
  ran: ReadonlyMap<string, readonly string[]>
  importers: Importers
  /** By namespace of texts: the source files that name it. */
  naming: (namespace: string) => readonly string[]
  /** The tests that read a file as a text, as those of the wording do. */
  readers: (file: string) => readonly string[]
  /** All test files. */
  tests: readonly string[]
  /** How long a test file takes. */
  seconds: (test: string) => number
}

export type Choice = {
  /** Nothing is chosen: everything must run. */
  everything?: string
  tests: string[]
  /** Folders of pages that the sweep opens. */
  pages: string[]
  /** Test files that run changed code too, and folders of pages that show it, but are too many. */
  beyond: string[]
}

const isTest = (file: string) =>
  /^tests\/(?:unit|docs|integration)\/.*\.test\.tsx?$|^tests\/e2e\/.*\.spec\.ts$/.test(file)
const isPage = (file: string) => /^app\/.*\/page(?:\.dev)?\.tsx$/.test(file)

/** What every test depends on, in ways that no import shows. */
const shared =
  /^(?:package(?:-lock)?\.json|tsconfig\.json|next\.config\.ts|vitest\.config\.ts|\.npmrc|db\/migrations\/.*|tests\/setup\/.*|tests\/e2e\/(?:playwright\.config|fixtures|stack|turn|global-setup)\.ts)$/

/** Files of which no import and no function tells who depends on them. */
const pointers: [RegExp, readonly string[]][] = [
  [/^tests\/integration\/calls\//, ['tests/integration/project/calls.test.ts']],
  [/^tests\/e2e\/sweep\//, ['tests/e2e/sweep.spec.ts']],
  [/^tests\/unit\/entities\//, ['tests/unit/project/entities.test.ts']],
  [/^bin\/(?:server|worker)/, ['tests/e2e/running.server.spec.ts']],
  [/\.css$/, ['tests/e2e/sweep.spec.ts']],
]

/** Returns all files that import a file, directly or not. */
function importing(file: string, importers: Importers): Set<string> {
  const affected = new Set([file])
  for (const each of affected) for (const one of importers.get(each) ?? []) affected.add(one)
  return affected
}

/** So many seconds of tests let one page be opened beside them: a component of all pages would open each. */
const secondsOfPages = 12

/**
 * Chooses the tests that a change concerns, for at most so many seconds: first what names the change or is changed itself,
 * then those that run least besides it. A file of which no function was run, such as one of constants, concerns the
 * tests of what imports it. A test that no full run has met yet is chosen by its imports, or in doubt, as the last.
 */
export function chooseTests(changed: readonly string[], known: Known, seconds: number): Choice {
  const all = changed.find((file) => shared.test(file))
  if (all) return { everything: all, tests: [], pages: [], beyond: [] }

  const ranBy = new Map<string, string[]>()
  for (const [test, files] of known.ran) for (const file of files) ranBy.set(file, [...(ranBy.get(file) ?? []), test])
  // the smaller, the closer to the change
  const distance = new Map<string, number>()
  const concerns = (test: string, how: number) => {
    if (known.tests.includes(test)) distance.set(test, Math.min(how, distance.get(test) ?? how))
  }
  const pages = new Map<string, number>()
  const unmet = known.ran.size > 0 ? known.tests.filter((test) => !known.ran.has(test)) : []

  for (const file of changed) {
    const texts = /^messages\/\w+\/(.+)\.json$/.exec(file)?.[1]
    if (texts)
      for (const test of known.tests.filter((each) => /^tests\/(?:unit|docs)\/.*(?:messages|wording|texts)/.test(each)))
        concerns(test, 0)
    for (const [pattern, tests] of pointers) if (pattern.test(file)) for (const test of tests) concerns(test, 0)
    for (const test of known.readers(file)) concerns(test, 0)
    const above = importing(file, known.importers)
    const isRun = /^(?:app|components|db|lib|messages)\//.test(file)
    for (const test of unmet)
      if (above.has(test)) concerns(test, 10_000)
      else if (isRun && test.startsWith('tests/e2e/')) concerns(test, 100_000)

    // tests make calls by their contracts, which don't import what answers them
    const module = /^lib\/[\w-]+\/[\w-]+\//.exec(file)?.[0]
    const callers = module && !ranBy.has(file) ? known.importers.get(`${module}contract.ts`) : undefined
    for (const one of callers ?? []) {
      concerns(one, 1)
      if (one.endsWith('.calls.ts')) concerns('tests/integration/project/calls.test.ts', 1)
    }

    const steps = new Map<string, number>((texts ? known.naming(texts) : [file]).map((each) => [each, 0]))
    for (const [each, step] of steps) {
      if (isTest(each)) concerns(each, step === 0 ? 0 : 1_000 * step)
      if (isPage(each)) {
        const page = each.slice(0, each.lastIndexOf('/'))
        pages.set(page, Math.min(step, pages.get(page) ?? step))
      }
      const ran = ranBy.get(each) ?? []
      for (const test of ran) concerns(test, 10 * step + (known.ran.get(test)?.length ?? 0))
      // who runs it is known, so only pages are still looked for, and browser tests, whose own code no map notes
      const further = each.startsWith('tests/') ? /^tests\/e2e\// : /^(?:app|components)\//
      const next = (known.importers.get(each) ?? []).filter((one) => ran.length === 0 || further.test(one))
      for (const one of next) if (!steps.has(one)) steps.set(one, step + 1)
    }
  }

  const chosen = [...distance].toSorted(([, one], [, other]) => one - other).map(([test]) => test)
  let left = seconds
  const tests = chosen.filter((test) => {
    left -= known.seconds(test)
    return left >= 0 || distance.get(test) === 0
  })
  const screens = [...pages].toSorted(([, one], [, other]) => one - other)
  const opened = screens.filter(([, step], at) => step === 0 || at < seconds / secondsOfPages).map(([page]) => page)
  const concerned = [...chosen, ...screens.map(([page]) => page)]
  return { tests, pages: opened, beyond: concerned.filter((each) => !tests.includes(each) && !opened.includes(each)) }
}

/** The first ten of a list in words. */
export const firstOf = (list: readonly string[]) =>
  list.slice(0, 10).join(', ') + (list.length > 10 ? ` and ${list.length - 10} others` : '')

/** Returns what is noted by tests and other pieces of work, without tests whose files are gone. */
export const withoutGone = <T>(noted: Record<string, T>, exists: (file: string) => boolean): Record<string, T> =>
  Object.fromEntries(
    Object.entries(noted).filter(([name]) => !name.startsWith('tests/') || exists(name.split(' › ')[0] ?? '')),
  )
