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

/** All texts by language, those of all files together. */
export const words = { ru: read('ru'), en: read('en') } as unknown as Record<'ru' | 'en', Texts>
