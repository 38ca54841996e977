import compile from 'icu-minify/compile'
import format, { type FormatValues } from 'icu-minify/format'
import { kinds } from '@/lib/base/i18n/parsed-messages'

/** The result of a text for a number, or for a word that the platform inserts. */
export type TextCase = { when: string; says: string }

/** Among the numbers up to this one every plural form occurs, in any language. */
const most = 101
/** More cases than this don't help. */
const mostCases = 8

const formatters = {
  getDateTimeFormat: (...of: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...of),
  getNumberFormat: (...of: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...of),
  getPluralRules: (...of: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...of),
}

/** Returns the first number of each plural form of the language, and the numbers that the text names itself. */
function numbersOf(lang: string, type: 'cardinal' | 'ordinal', branches: readonly string[]): number[] {
  const rules = new Intl.PluralRules(lang, { type })
  const first = new Map<string, number>()
  for (let number = 1; number <= most; number++) {
    const form = rules.select(number)
    if (!first.has(form)) first.set(form, number)
  }
  const exactNumbers = branches.flatMap((branch) => (branch.startsWith('=') ? [Number(branch.slice(1))] : []))
  return [...exactNumbers, ...first.values()]
}

/**
 * Returns what an ICU text says in each of its cases, with its other names left in braces; an empty list for a text
 * without cases, or for one that can't be parsed.
 */
export function casesOf(text: string, lang: string): TextCase[] {
  const fixed: FormatValues<string> = {}
  const counts = new Set<string>()
  const numbers = new Set<number>()
  const words = new Map<string, string[]>()
  const walk = (nodes: unknown): void => {
    if (!Array.isArray(nodes)) return
    for (const node of nodes) {
      if (!Array.isArray(node)) continue
      const [name, what, more] = node
      const kind = kinds[what as keyof typeof kinds]
      if (node.length === 1) fixed[name] ??= `{${name}}`
      else if (!kind) {
        fixed[name] = (inside) => inside.join('')
        walk(node.slice(1))
      } else if (kind === 'date' || kind === 'time') fixed[name] = new Date()
      else if (kind === 'number') fixed[name] = 1
      else {
        if (kind === 'select') words.set(name, Object.keys(more))
        else {
          counts.add(name)
          for (const number of numbersOf(lang, kind === 'plural' ? 'cardinal' : 'ordinal', Object.keys(more)))
            numbers.add(number)
        }
        Object.values(more).forEach(walk)
      }
    }
  }
  try {
    const message = compile(text)
    walk(message)
    if (counts.size + words.size === 0) return []
    let cases: { when: string[]; values: FormatValues<string> }[] = [{ when: [], values: fixed }]
    // limited to the shown ones: a text may choose by so many words that its cases would never end
    for (const [name, keys] of words)
      cases = cases
        .flatMap(({ when, values }) =>
          keys.map((key) => ({ when: [...when, key], values: { ...values, [name]: key } })),
        )
        .slice(0, mostCases)
    if (counts.size > 0)
      cases = cases.flatMap(({ when, values }) =>
        [...numbers]
          .toSorted((a, b) => a - b)
          .map((number) => ({
            when: [...when, String(number)],
            values: { ...values, ...Object.fromEntries([...counts].map((name) => [name, number])) },
          })),
      )
    return cases.slice(0, mostCases).map(({ when, values }) => ({
      when: when.join(', '),
      says: [format<string>(message, lang, values, { formatters })].flat().join(''),
    }))
  } catch {
    return []
  }
}
