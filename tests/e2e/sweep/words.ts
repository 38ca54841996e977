import { readdirSync, readFileSync } from 'node:fs'
import type { Messages } from 'next-intl'
import type { Language } from '../sign-in-page'

/** Every text in a language. Read as files, since the platform's own imports of JSON are its bundler's. */
export const wordsOf = (language: Language): Messages =>
  Object.assign(
    {},
    ...readdirSync(`messages/${language}`)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(`messages/${language}/${name}`, 'utf8'))),
  )
