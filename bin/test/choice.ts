import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { expectedSeconds, secondsFile } from '@/tests/setup/expected'
import { type Choice, chooseTests } from './changed'
import { importersOf } from './importers'

/** Where a full run notes by test file which source files it ran. */
export const mapFile = '.data/test-map.json'

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

const readJson = async <T>(path: string, none: T): Promise<T> =>
  existsSync(path) ? JSON.parse(await readFile(path, 'utf8')) : none

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
 * seconds of one processor.
 */
export async function chooseChanged(since: string, seconds: number): Promise<Choice & { changed: string[] }> {
  const files = [...git('ls-files'), ...git('ls-files', '--others', '--exclude-standard')].filter(existsSync)
  const changed = [
    ...new Set([...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]),
  ]
  const shown = files.filter((file) => /^(?:app|components|lib)\/.*\.tsx?$/.test(file))
  const choice = chooseTests(
    changed,
    {
      ran: new Map(Object.entries(await readJson<Record<string, string[]>>(mapFile, {}))),
      importers: await importersOf(files),
      naming: (namespace) => shown.filter((file) => readFileSync(file, 'utf8').includes(`'${namespace}'`)),
      tests: files.filter((file) => /^tests\/(?:unit|integration|e2e)\/.*\.(?:test|spec)\.tsx?$/.test(file)),
      seconds: await secondsOfFiles(),
    },
    seconds,
  )
  return { ...choice, changed }
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
