import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shownBy } from '../factories/settings-shown'

test('of each setting that is in effect a test shows that it acts', () => {
  const rules = readFileSync(join('docs', 'rules', 'settings.md'), 'utf8')
  const faults = Object.entries(shownBy).flatMap(([id, file]) => {
    const row = rules.split('\n').find((line) => line.startsWith(`| \`${id}\` |`)) ?? ''
    const acts = !row.includes('not in effect yet')
    if (acts !== (file !== null)) return [`${id}: it ${acts ? 'acts, and no test shows it' : 'does not act'}`]
    if (file === null) return []
    const text = readFileSync(`tests/${file}`, 'utf8')
    // it must be set there: a column or a variable may have the same name
    const isSet = new RegExp(`'${id}'|store\\(\\{[^}]*\\b${id}\\b`)
    return isSet.test(text) ? [] : [`${id}: ${file} does not set it`]
  })
  expect(faults).toEqual([])
})
