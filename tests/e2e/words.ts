import { readdirSync, readFileSync } from 'node:fs'
import type { Texts } from '@/lib/kernel/i18n/texts.generated'

type Tree = { [key: string]: Tree | string }

function merge(into: Tree, from: Tree): Tree {
  for (const [key, value] of Object.entries(from)) {
    const there = into[key]
    into[key] = typeof there === 'object' && typeof value === 'object' ? merge(there, value) : value
  }
  return into
}

const read = (locale: string) =>
  readdirSync(`messages/${locale}`)
    .filter((name) => name.endsWith('.json'))
    .reduce<Tree>((all, name) => merge(all, JSON.parse(readFileSync(`messages/${locale}/${name}`, 'utf8'))), {})

/** All texts in Russian, those of all files together. */
export const ru = read('ru') as unknown as Texts
/** The same in English. */
export const en = read('en') as unknown as Texts

export const wordsOf = (language: 'ru' | 'en'): Texts => (language === 'ru' ? ru : en)
