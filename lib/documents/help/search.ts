import { searchForm } from '@/lib/base/lists/search-form'
import type { Section } from './sections'

export type HelpDocument = { code: string; name: string; locale: string; sections: Section[] }
export type HelpHit = {
  code: string
  name: string
  heading: string
  part: number
  /** The text near the first match, in pieces; pages mark the `found` ones. `at` is the piece's index. */
  excerpt: { text: string; found: boolean; at: number }[]
}

/** Returns a word without its last letters, which differ by case and number in Russian, and by number in English. */
const stem = (word: string) => (word.length >= 6 ? word.slice(0, -2) : word.length === 5 ? word.slice(0, -1) : word)

const stemsOf = (query: string) => [...new Set(searchForm(query).match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, 8).map(stem)

const excerptHalf = 140
/** Words of a text, with accents and soft hyphens. */
const words = /[\p{L}\p{N}\p{M}\u00ad]+/gu

/** Returns the text near the first match, cut at spaces, with every match marked. */
function excerptOf(text: string, stems: string[]): HelpHit['excerpt'] {
  const isMatch = ([word]: RegExpExecArray) => stems.some((stem) => searchForm(word).startsWith(stem))
  const firstMatch = [...text.matchAll(words)].find(isMatch)?.index ?? 0
  const start = firstMatch < excerptHalf / 2 ? 0 : text.indexOf(' ', firstMatch - excerptHalf / 2) + 1
  const uncut = text.slice(start, start + excerptHalf * 2)
  const end = uncut.length < excerptHalf * 2 ? uncut.length : uncut.lastIndexOf(' ')
  const cut = uncut.slice(0, end)
  const pieces: Omit<HelpHit['excerpt'][number], 'at'>[] = []
  let at = 0
  for (const match of cut.matchAll(words)) {
    if (!isMatch(match)) continue
    if (match.index > at) pieces.push({ text: cut.slice(at, match.index), found: false })
    pieces.push({ text: match[0], found: true })
    at = match.index + match[0].length
  }
  const remainder = cut.slice(at) + (start + end < text.length ? ' …' : '')
  if (remainder) pieces.push({ text: remainder, found: false })
  if (start > 0) pieces.unshift({ text: '… ', found: false })
  return pieces.map((piece, index) => ({ ...piece, at: index }))
}

/** Returns the index at which a word with this stem begins; -1 if there is none. */
function beginOf(text: string, word: string): number {
  for (let index = text.indexOf(word); index >= 0; index = text.indexOf(word, index + 1))
    if (index === 0 || !/[\p{L}\p{N}]/u.test(text[index - 1] ?? '')) return index
  return -1
}

const hasWord = (text: string, word: string) => beginOf(searchForm(text), word) >= 0

/** Returns the sections that contain every word of the query, matches in titles and headings first; 20 at most. */
export function searchHelp(documents: readonly HelpDocument[], query: string): HelpHit[] {
  const stems = stemsOf(query)
  if (stems.length === 0) return []
  const hits = documents.flatMap(({ code, name, sections }) =>
    sections.flatMap(({ heading, text, part }) => {
      let score = 0
      for (const word of stems) {
        const points = (hasWord(heading, word) ? 4 : 0) + (hasWord(name, word) ? 2 : 0) + (hasWord(text, word) ? 1 : 0)
        // a word that only the document's title contains counts only for its first section
        if (points === 0 || (points === 2 && part > 1)) return []
        score += points
      }
      return [{ score, hit: { code, name, heading, part, excerpt: excerptOf(text, stems) } }]
    }),
  )
  return hits
    .sort((left, right) => right.score - left.score)
    .slice(0, 20)
    .map(({ hit }) => hit)
}
