import { or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { searchForm, searchWords } from '@/lib/base/lists/search-form'
import { otherSpelling } from '@/lib/base/text/email'
import { containing } from './list'

/** The shortest word that trigrams find. */
const shortestIndexed = 3
const isShort = (word: string) => [...word].length < shortestIndexed

/** Returns whether no index finds a text: it is a single short word, which may be anywhere in a column. */
export function isTooShort(text: string): boolean {
  const words = searchWords(text)
  return words.length <= 1 && words.every(isShort)
}

const allOf = (conditions: SQL[]) => sql`(${sql.join(conditions, sql` and `)})`
const anyOf = (conditions: SQL[]) => sql`(${sql.join(conditions, sql` or `)})`
const contains = (form: SQL, text: string) => sql`${form} like ${containing(text)}`
/** Returns the words of a text that are international domains, with their other spelling; both in their search form. */
const spellings = (text: string) =>
  new Map(
    text.split(/\s+/).flatMap((word) => {
      const otherForm = otherSpelling(word)
      return otherForm === null ? [] : [[searchForm(word), searchForm(otherForm)] as const]
    }),
  )

/** Returns whether a text contains an international domain, which is found in both spellings. */
export const hasOtherSpelling = (text: string) => spellings(text).size > 0

const startsWith = (form: SQL, word: string) => sql`${form} like ${containing(word).slice(1)}`
const hasWordStartingWith = (form: SQL, word: string) => anyOf([startsWith(form, word), contains(form, ` ${word}`)])

type Column = SQLWrapper | false | null | undefined
type SearchOptions = {
  /** For long lists: a single short word is searched only at the beginning, where an index finds it. */
  indexed?: boolean
  /** Changes the compared expression, for example into one that no index has. */
  of?: (form: SQL) => SQL
}

/**
 * Returns a condition: one of the columns contains every word of a text, whatever their order, case, accents and kind
 * of apostrophe (docs/rules/pages.md#how-texts-are-found). Short words alone match only beginnings of words, or the
 * text as it was typed.
 */
export function found(
  text: string,
  columns: readonly Column[],
  { indexed = false, of: comparedForm = (form) => form }: SearchOptions = {},
): SQL {
  const words = searchWords(text)
  const otherSpellings = spellings(text)
  const typed = searchForm(text).trim()
  const hasWord = (form: SQL, word: string) => {
    const otherForm = otherSpellings.get(word)
    return otherForm === undefined ? contains(form, word) : anyOf([contains(form, word), contains(form, otherForm)])
  }
  const condition = (form: SQL) => {
    if (!words.every(isShort) || (words.length === 1 && !indexed))
      return allOf(words.map((word) => hasWord(form, word)))
    if (words[0] === typed) return startsWith(form, typed)
    return anyOf([contains(form, typed), allOf(words.map((word) => hasWordStartingWith(form, word)))])
  }
  // without words: an empty text matches all rows, a text of signs matches none
  if (words.length === 0) return text.trim() === '' ? sql`true` : sql`false`
  const forms = columns.flatMap((column) => (column ? [comparedForm(sql`search_form(${column})`)] : []))
  return or(...forms.map(condition)) ?? sql`false`
}
