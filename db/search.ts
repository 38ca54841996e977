import { or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { searchForm, searchWords } from '@/lib/base/lists/search-form'
import { otherSpelling } from '@/lib/base/text/email'
import { containing } from './list'

/** Trigrams find no word that is shorter. */
const shortestIndexed = 3
const isShort = (word: string) => [...word].length < shortestIndexed

/** Returns whether no index finds a text: it is one short word, which may stand anywhere. */
export function isTooShort(text: string): boolean {
  const words = searchWords(text)
  return words.length <= 1 && words.every(isShort)
}

const every = (conditions: SQL[]) => sql`(${sql.join(conditions, sql` and `)})`
const some = (conditions: SQL[]) => sql`(${sql.join(conditions, sql` or `)})`
const has = (form: SQL, text: string) => sql`${form} like ${containing(text)}`
/** The words of a text that name an international domain, with their other spelling; all in their forms. */
const spellings = (text: string) =>
  new Map(
    text.split(/\s+/).flatMap((word) => {
      const other = otherSpelling(word)
      return other === null ? [] : [[searchForm(word), searchForm(other)] as const]
    }),
  )

/** Returns whether a text names an international domain, which is found in either spelling. */
export const hasOtherSpelling = (text: string) => spellings(text).size > 0

const begins = (form: SQL, word: string) => sql`${form} like ${containing(word).slice(1)}`
const hasWordThatBegins = (form: SQL, word: string) => some([begins(form, word), has(form, ` ${word}`)])

type Column = SQLWrapper | false | null | undefined
type How = {
  /** For long lists: a short word that stands alone is looked for at the beginning, where an index finds it. */
  indexed?: boolean
  /** Changes what is compared, such as into an expression that no index has. */
  of?: (form: SQL) => SQL
}

/**
 * A condition: one of the columns contains every word of a text, whatever their order, case, accents and kind of apostrophe
 * (docs/rules/pages.md#how-texts-are-found). If all words are short, they begin words, or stand as they were typed.
 */
export function found(
  text: string,
  columns: readonly Column[],
  { indexed = false, of = (form) => form }: How = {},
): SQL {
  const words = searchWords(text)
  const others = spellings(text)
  const typed = searchForm(text).trim()
  const hasWord = (form: SQL, word: string) => {
    const other = others.get(word)
    return other === undefined ? has(form, word) : some([has(form, word), has(form, other)])
  }
  const condition = (form: SQL) => {
    if (!words.every(isShort) || (words.length === 1 && !indexed))
      return every(words.map((word) => hasWord(form, word)))
    if (words[0] === typed) return begins(form, typed)
    return some([has(form, typed), every(words.map((word) => hasWordThatBegins(form, word)))])
  }
  // no words: nothing was asked for, or nothing of it is left, which nothing has
  if (words.length === 0) return text.trim() === '' ? sql`true` : sql`false`
  const forms = columns.flatMap((column) => (column ? [of(sql`search_form(${column})`)] : []))
  return or(...forms.map(condition)) ?? sql`false`
}
