/** Signs that people use in place of another one, each with its standard sign. */
const standardSigns = new Map(
  Object.entries({
    "'": '`\u02b9\u02bb\u02bc\u02bd\u2018\u2019\u201b\u2032',
    '"': '\u00ab\u00bb\u201c\u201d\u201e\u201f',
    '-': '\u2010\u2012\u2013\u2014\u2015\u2212',
    // a final sigma, which depends on what follows; letters that Unicode doesn't take apart
    σ: 'ς',
    o: 'ø',
    l: 'ł',
    d: 'đ',
    i: 'ı',
  }).flatMap(([standardSign, variants]) => [...variants].map((variant) => [variant, standardSign] as const)),
)
const variantSign = new RegExp(`[${[...standardSigns.keys()].join('')}]`, 'g')

/**
 * Returns the form in which a search compares texts: small letters without accents (`Ёлкина` is `елкина`), one
 * apostrophe, quote, hyphen and space. The function `search_form` of the database returns the same
 * (docs/rules/pages.md#how-texts-are-found).
 */
export const searchForm = (text: string) =>
  text
    .replaceAll('\u00b4', "'")
    .normalize('NFKD')
    .replace(/\u00ad|[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(variantSign, (sign) => standardSigns.get(sign) ?? sign)

/** The most words of a text that a search uses. */
const maxWords = 8

/**
 * Returns the words of a search in the form in which they are compared, the longest first. A word is left out if
 * another one begins with it.
 */
export function searchWords(text: string): string[] {
  const words = [...new Set(searchForm(text).split(/\s+/))].filter(Boolean).sort((a, b) => b.length - a.length)
  return words
    .filter((word, index) => !words.slice(0, index).some((longer) => longer.startsWith(word)))
    .slice(0, maxWords)
}

/** Returns whether one of the values contains every word of a text. */
export function isFound(text: string, values: readonly (string | null | undefined)[]): boolean {
  const words = searchWords(text)
  // a text without a word, such as a lone accent, matches nothing
  if (words.length === 0 && text.trim() !== '') return false
  return values.some((value) => {
    const searchable = searchForm(value ?? '')
    return words.every((word) => searchable.includes(word))
  })
}
