import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { nameArgument, titleArgument } from '../../setup/again'

/** The regular expression that a program gets for this argument of a shell. */
const read = (argument: string) => new RegExp(execFileSync('sh', ['-c', `printf %s ${argument}`], { encoding: 'utf8' }))

const titles = [
  'of thirty saves of one version one is stored, and the others are told who saved, and what they may see',
  'a path (with [brackets]) | costs $5 + 50 %? * ^ {x} \\d',
  `it doesn't say "no", \`nor\` $HOME !yes`,
  '- begins with a dash',
  '/has slashes/g',
  'two\nlines\tand a tab',
]

describe('what repeats a test', () => {
  test.each(titles)('names exactly it: %j', (title) => {
    expect(read(nameArgument(`calls > ${title}`)).test(`calls > ${title}`)).toBe(true)
    expect(read(nameArgument(`calls > ${title}`)).test(`calls > ${title}, twice`)).toBe(false)
    expect(read(nameArgument(title)).test(`calls > ${title}`)).toBe(false)
  })

  test.each(titles)('names in a browser the title, after files and before tags: %j', (title) => {
    const pattern = read(titleArgument(title))
    expect(pattern.test(`browser users.spec.ts ${title}`)).toBe(true)
    expect(pattern.test(`browser users.spec.ts people ${title} @full`)).toBe(true)
    expect(pattern.test(`browser users.spec.ts ${title}, as it opens`)).toBe(false)
    expect(pattern.test(`browser users.spec.ts un${title}`)).toBe(false)
  })

  test.each(titles)('stands in one line: %j', (title) => {
    expect(nameArgument(title) + titleArgument(title)).not.toMatch(/[\n\r\t]/)
  })
})
