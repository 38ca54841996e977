import { textLocales } from './choose-locale'

/** Names by the language they are in; one that is missing or blank counts as none. */
export type LocalNames = Readonly<Record<string, string | null | undefined>>

/** What carries its name, or where it has one its title, in Russian and perhaps in English, and perhaps a code. */
export type Named = (
  | { name: string | null; nameEn?: string | null }
  | { title: string | null; titleEn?: string | null }
) & { code?: string | null }

/** What counts as blank: what `String.prototype.trim` takes away. PostgreSQL is given the same characters. */
export const blanks =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

/** The languages of the names in the order in which they are asked: the reader's, the default one, then the rest. */
export function languageOrder(known: readonly string[], locale: string): string[] {
  const rest = known.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
  return [...new Set([locale, textLocales[0], ...rest])].filter((language) => known.includes(language))
}

/** The name in the reader's language, else in the default one, else any, else the code. `db/local-name.ts` is its SQL. */
export function nameAmong(names: LocalNames, locale: string, code?: string | null): string {
  for (const language of languageOrder(Object.keys(names), locale)) {
    const name = names[language]
    if (name?.trim()) return name
  }
  return code ?? ''
}

/** What something is called in the reader's language, by the rule of `nameAmong`. */
export const localName = (named: Named, locale: string): string =>
  // an entry of a menu has a name too, by which the code knows it: its title is what people read
  nameAmong(
    'title' in named ? { ru: named.title, en: named.titleEn } : { ru: named.name, en: named.nameEn },
    locale,
    named.code,
  )
