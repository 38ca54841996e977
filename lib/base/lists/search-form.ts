/** Signs that people type for one another, with the one that stands for them. */
const alike = new Map(
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
  }).flatMap(([one, others]) => [...others].map((other) => [other, one] as const)),
)
const others = new RegExp(`[${[...alike.keys()].join('')}]`, 'g')

/**
 * Returns the form in which a search compares texts: small letters without accents (`Ёлкина` is `елкина`), one apostrophe,
 * quote, hyphen and space. The function `search_form` of the database returns the same (docs/rules/pages.md#how-texts-are-found).
 */
export const searchForm = (text: string) =>
  text
    .replaceAll('\u00b4', "'")
    .normalize('NFKD')
    .replace(/\u00ad|[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(others, (sign) => alike.get(sign) ?? sign)

/** How many words of a text are looked for. */
const mostWords = 8

/**
 * Returns the words that a text asks for in the form in which they are compared, the longest first. A word with which
 * another one begins asks for nothing more.
 */
export function searchWords(text: string): string[] {
  const words = [...new Set(searchForm(text).split(/\s+/))].filter(Boolean).sort((a, b) => b.length - a.length)
  return words.filter((word, at) => !words.slice(0, at).some((longer) => longer.startsWith(word))).slice(0, mostWords)
}

/** Returns whether one of the values contains every word of a text. */
export function isFound(text: string, values: readonly (string | null | undefined)[]): boolean {
  const words = searchWords(text)
  // of what was asked for nothing is left, which nothing has
  if (words.length === 0 && text.trim() !== '') return false
  return values.some((value) => {
    const form = searchForm(value ?? '')
    return words.every((word) => form.includes(word))
  })
}
