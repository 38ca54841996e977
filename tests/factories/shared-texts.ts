import { readdirSync, readFileSync } from 'node:fs'

/**
 * The texts of every file that adds to `errors` or `snackbar`, by their keys. Throws if two files have the same key.
 */
export function allShared(locale: 'ru' | 'en', block: 'errors' | 'snackbar'): Record<string, string> {
  const all: Record<string, string> = {}
  for (const name of readdirSync(`messages/${locale}`).filter((each) => each.endsWith('.json'))) {
    const texts = JSON.parse(readFileSync(`messages/${locale}/${name}`, 'utf8'))[block] ?? {}
    for (const key of Object.keys(texts)) if (key in all) throw new Error(`${block}.${key} stands in two files`)
    Object.assign(all, texts)
  }
  return all
}
