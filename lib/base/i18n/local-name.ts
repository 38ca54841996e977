import { textLocales } from './choose-locale'

/** Names by language; a blank name counts as missing. */
export type LocalNames = Readonly<Record<string, string | null | undefined>>

/** An object with its name, or title, in Russian and perhaps in English, and perhaps with a code. */
export type Named = (
  | { name: string | null; nameEn?: string | null }
  | { title: string | null; titleEn?: string | null }
) & { code?: string | null }

/** Characters that count as blank: those that `String.prototype.trim` removes. PostgreSQL trims the same ones. */
export const blanks =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

/** Returns the languages in the order in which they are tried: that of the reader, the default, then the rest. */
export function languageOrder(languages: readonly string[], locale: string): string[] {
  const sortedLanguages = languages.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
  return [...new Set([locale, textLocales[0], ...sortedLanguages])].filter((language) => languages.includes(language))
}

/**
 * Returns the name in the reader's language, else in the default one, else in any, else the code. `db/local-name.ts`
 * has the same rule in SQL.
 */
export function nameAmong(names: LocalNames, locale: string, code?: string | null): string {
  for (const language of languageOrder(Object.keys(names), locale)) {
    const name = names[language]
    if (name?.trim()) return name
  }
  return code ?? ''
}

/** Returns the name or title of an object in the language of the reader, by the rule of `nameAmong`. */
export const localName = (named: Named, locale: string): string =>
  // an entry of a menu also has an internal `name`; people read its title
  nameAmong(
    'title' in named ? { ru: named.title, en: named.titleEn } : { ru: named.name, en: named.nameEn },
    locale,
    named.code,
  )
