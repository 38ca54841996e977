import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorRecord } from '@/lib/base/runtime/error-record'
import { originalFrame } from '@/lib/base/runtime/original-frames'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frames-'))
  const source = 'type Gone = string\n\n\nexport const fail = (text: Gone) => {\n  throw new Error(text)\n}\n'
  await writeFile(join(folder, 'source.ts'), source)
  const entryPoints = [join(folder, 'source.ts')]
  for (const [name, sourcemap] of [
    ['mapped', true],
    ['bare', false],
  ] as const)
    await build({ entryPoints, format: 'esm', minify: true, sourcemap, outfile: join(folder, `${name}.js`) })
})
afterAll(() => rm(folder, { recursive: true }))

/** Returns the first frame that the log has of an error of this bundle. */
async function frameOf(name: string) {
  const { fail } = await import(/* @vite-ignore */ pathToFileURL(join(folder, `${name}.js`)).href)
  try {
    fail('broken')
  } catch (error) {
    return errorRecord(error).stack?.split('\n')[0]
  }
  return undefined
}

test('the log names the place in the source of a bundle that has a map', async () => {
  expect(await frameOf('mapped')).toContain(`${join(folder, 'source.ts')}:5:9`)
})

test('a frame stays as it is without a map, with a broken one, and where no file is named', async () => {
  expect(await frameOf('bare')).toContain(`${join(folder, 'bare.js')}:1:`)
  await writeFile(join(folder, 'broken.js.map'), '{')
  for (const frame of [
    `    at fail (${join(folder, 'broken.js')}:1:2)`,
    '    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)',
    '    at fail (file:///broken%2Faddress.js:1:2)',
    '    at async Promise.all (index 0)',
    '    at <anonymous>',
  ])
    expect(originalFrame(frame)).toBe(frame)
})
