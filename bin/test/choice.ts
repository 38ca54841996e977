import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { expectedSeconds, secondsFile } from '@/tests/setup/expected'
import { type Choice, chooseTests, withoutGone } from './changed'
import { importersOf } from './importers'
import { readersOf } from './reading'

/** Where a full run notes by test file which source files it ran. */
export const mapFile = '.data/test-map.json'

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

/** Returns what a run has noted in a file; `none` if there is nothing, or a part that a killed run has left. */
async function readJson<T>(path: string, none: T): Promise<T> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return none
  }
}

/** Adds to what is noted in a file by tests; what is noted of tests that are gone is forgotten. */
export async function note<T>(path: string, fresh: Record<string, T>) {
  if (Object.keys(fresh).length === 0) return
  const all = { ...(await readJson<Record<string, T>>(path, {})), ...fresh }
  await writeFile(path, JSON.stringify(withoutGone(all, existsSync)))
}

/** The seconds of a test file; those of a browser test are noted by test. */
async function secondsOfFiles() {
  const noted = await readJson<Record<string, number>>(secondsFile, {})
  const sums = new Map<string, number>()
  for (const [name, seconds] of Object.entries(noted)) {
    const [file = ''] = name.split(' › ')
    sums.set(file, (sums.get(file) ?? 0) + seconds)
  }
  return (file: string) => sums.get(file) ?? expectedSeconds(file, file.endsWith('.spec.ts') ? 15 : 3)
}

/**
 * Chooses the tests that concern what has changed since a revision of git, with what isn't committed, for at most so many
 * seconds, one after another. `unknown` is of how many test files no full run has noted what they run.
 */
export async function chooseChanged(
  since: string,
  seconds: number,
): Promise<Choice & { changed: string[]; unknown: number }> {
  const files = [...git('ls-files'), ...git('ls-files', '--others', '--exclude-standard')].filter(existsSync)
  const changed = [
    ...new Set([
      ...git('diff', '--name-only', '--merge-base', since),
      ...git('ls-files', '--others', '--exclude-standard'),
    ]),
  ]
  const tests = files.filter((file) => /^tests\/(?:unit|docs|integration|e2e)\/.*\.(?:test|spec)\.tsx?$/.test(file))
  const ran = new Map(Object.entries(await readJson<Record<string, string[]>>(mapFile, {})))
  const shownFiles = files.filter((file) => /^(?:app|components|lib)\/.*\.tsx?$/.test(file))
  const choice = chooseTests(
    changed,
    {
      ran,
      importers: await importersOf(files),
      naming: (namespace) => shownFiles.filter((file) => readFileSync(file, 'utf8').includes(`'${namespace}'`)),
      readers: readersOf(tests.filter((test) => /^tests\/(?:unit|docs)\//.test(test))),
      tests,
      seconds: await secondsOfFiles(),
    },
    seconds,
  )
  return { ...choice, changed, unknown: tests.filter((test) => !ran.has(test)).length }
}

/** Writes the list of browser tests that Playwright takes: whole files, and of the sweep the screens of these pages. */
export async function writeTestList(path: string, { tests, pages }: Choice): Promise<boolean> {
  const specs = tests.filter((file) => file.startsWith('tests/e2e/')).map((file) => file.slice('tests/e2e/'.length))
  const screens = pages.flatMap((folder) => {
    const declared = `${folder}/screen.ts`
    const name = existsSync(declared) && /name: '(\w+)'/.exec(readFileSync(declared, 'utf8'))?.[1]
    return name ? [`sweep.spec.ts › ${name}, ru, as it opens`] : []
  })
  const lines = [...specs, ...screens]
  await writeFile(path, lines.join('\n'))
  return lines.length > 0
}

/** Writes the list of the browser tests that speak one language, which a full run repeats in the other one. */
export async function writeSpokenList(path: string) {
  const specs = readdirSync('tests/e2e').filter((file) => file.endsWith('.spec.ts'))
  const spoken = specs.filter((file) => readFileSync(`tests/e2e/${file}`, 'utf8').includes('spokenIn('))
  await writeFile(path, spoken.join('\n'))
}
