import { readdirSync, readFileSync } from 'node:fs'
import type { Texts } from '@/lib/base/i18n/texts.generated'
import { typographicMessages } from '@/lib/base/i18n/typography'

type Tree = { [key: string]: Tree | string }

function merge(into: Tree, from: Tree): Tree {
  for (const [key, value] of Object.entries(from)) {
    const existing = into[key]
    into[key] = typeof existing === 'object' && typeof value === 'object' ? merge(existing, value) : value
  }
  return into
}

const read = (locale: string) =>
  readdirSync(`messages/${locale}`)
    .filter((name) => name.endsWith('.json'))
    .reduce<Tree>((all, name) => merge(all, JSON.parse(readFileSync(`messages/${locale}/${name}`, 'utf8'))), {})

const shownTexts = (locale: string) => typographicMessages(read(locale)) as unknown as Texts

/** All texts of all files in Russian, as pages show them. */
export const ru = shownTexts('ru')
/** All texts of all files in English. */
export const en = shownTexts('en')

export const wordsOf = (language: 'ru' | 'en'): Texts => (language === 'ru' ? ru : en)
