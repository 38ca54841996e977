import { readdirSync } from 'node:fs'

/**
 * Returns one part of a test with many cases: `x.test.ts` has the first part, `x-2.test.ts` the second and so on, so
 * that workers run them in parallel. There are as many parts as such files.
 */
export function shardOf<T>(all: readonly T[], testFile: string): T[] {
  const [, folder = '', name = '', number = '1'] = /^(.*)\/([^/]+?)(?:-(\d+))?\.test\.ts$/.exec(testFile) ?? []
  const files = readdirSync(folder).filter(
    (file) => file.startsWith(name) && /^(-\d+)?\.test\.ts$/.test(file.slice(name.length)),
  )
  const [at, of] = [Number(number) - 1, files.length]
  if (at >= of) throw new Error(`${testFile} is part ${number} of ${of}`)
  return all.filter((_, index) => index % of === at)
}
