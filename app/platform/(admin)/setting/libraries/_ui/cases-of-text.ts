import compile from 'icu-minify/compile'
import format, { type FormatValues } from 'icu-minify/format'
import { kinds } from '@/lib/base/i18n/message-source'

/** What a text says for a number, or for a word that the platform puts there. */
export type TextCase = { when: string; says: string }

/** Up to here every form of a number occurs, in any language. */
const most = 101
/** More cases than this help nobody. */
const shown = 8

const formatters = {
  getDateTimeFormat: (...of: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...of),
  getNumberFormat: (...of: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...of),
  getPluralRules: (...of: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...of),
}

/** The first number of each form that the language has, and the numbers that the text names itself. */
function numbersOf(lang: string, type: 'cardinal' | 'ordinal', branches: readonly string[]): number[] {
  const rules = new Intl.PluralRules(lang, { type })
  const first = new Map<string, number>()
  for (let number = 1; number <= most; number++) {
    const form = rules.select(number)
    if (!first.has(form)) first.set(form, number)
  }
  const named = branches.flatMap((branch) => (branch.startsWith('=') ? [Number(branch.slice(1))] : []))
  return [...named, ...first.values()]
}

/**
 * Returns what a text of ICU says in each of its cases, with its other names left in braces; nothing for a text without
 * cases, or for one that can't be read.
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
    // as many as are shown: a text may choose by so many words that all their cases would never end
    for (const [name, keys] of words)
      cases = cases
        .flatMap(({ when, values }) =>
          keys.map((key) => ({ when: [...when, key], values: { ...values, [name]: key } })),
        )
        .slice(0, shown)
    if (counts.size > 0)
      cases = cases.flatMap(({ when, values }) =>
        [...numbers]
          .toSorted((one, other) => one - other)
          .map((number) => ({
            when: [...when, String(number)],
            values: { ...values, ...Object.fromEntries([...counts].map((name) => [name, number])) },
          })),
      )
    return cases.slice(0, shown).map(({ when, values }) => ({
      when: when.join(', '),
      says: [format<string>(message, lang, values, { formatters })].flat().join(''),
    }))
  } catch {
    return []
  }
}
