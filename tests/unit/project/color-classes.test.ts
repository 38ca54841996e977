import { globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { __unstable__loadDesignSystem as loadDesignSystem } from 'tailwindcss'
import { expect, test } from 'vitest'

/** Classes that set a color, as they stand in the sources: `text-ink`, `hover:bg-sunken`. */
const colored =
  /(?<=['"`\s:])(?:text|bg|border|outline|ring|fill|stroke|divide|accent|caret|decoration)-[a-z][a-z-]*(?=['"`\s/])/g

const loadStylesheet = async (id: string, base: string) => {
  const path = id === 'tailwindcss' ? resolve('node_modules/tailwindcss/index.css') : resolve(base, id)
  return { path, base: dirname(path), content: readFileSync(path, 'utf8') }
}

test('every class that sets a color has its color among the tokens', async () => {
  const css = readFileSync('app/globals.css', 'utf8')
  const system = await loadDesignSystem(css, { base: resolve('app'), loadStylesheet })
  const used = globSync('{app,components}/**/*.tsx').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(colored)].map(([name]) => ({ name, file })),
  )
  expect(used.length).toBeGreaterThan(300)
  const unknown = used.filter(({ name }) => system.candidatesToCss([name])[0] === null)
  expect(unknown).toEqual([])
})
